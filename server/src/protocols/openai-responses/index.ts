// The responses protocol: nothing but the list of its parts.
import { limitOutput } from '../limit-output.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { readComplaint } from '../openai-chat/error.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { readGeneration, responsesSettingPaths } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { ResponsesPartsWriter } from './client/write-stream.ts';
import { readResponseAnswer } from './read-answer.ts';
import { readResponseRequest, type ResponseRequest } from './read-request.ts';
import { readResponseStream, responseErrorEvent } from './stream.ts';
import { readResult } from './upstream/read-result.ts';
import { ResponsesPartsReader } from './upstream/read-stream.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { fixedFields, RESPONSES } from './wire.ts';

export const openaiResponses: Protocol = {
  name: RESPONSES,
  operation: 'responses',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readResponseAnswer,
  readComplaint,
  errorEvent: responseErrorEvent,
};

export const openaiResponsesClient: ClientSide = {
  name: RESPONSES,
  settingPaths: responsesSettingPaths,
  writeResult,
  writeStream: (context) => new ResponsesPartsWriter(context),
};

export const openaiResponsesUpstream: UpstreamSide = {
  name: RESPONSES,
  protocol: openaiResponses,
  writeGeneration,
  readResult,
  readStream: () => new ResponsesPartsReader(),
};

export { readResponseState, type ResponseState } from './read-answer.ts';

/** Throws a GatewayError that names the field. */
export function readResponse(body: Buffer): RelayRequest & ResponseRequest {
  const request = readResponseRequest(body);
  return {
    ...request,
    write({ upstreamModel, dropFields }) {
      const set = { model: JSON.stringify(upstreamModel) };
      return rewriteJsonObject(request.json, {
        ...(upstreamModel !== request.model && { set }),
        remove: dropFields.filter((name) => !fixedFields.has(name)),
      });
    },
    fit: (most) => readResponse(limitOutput(request.json, ['max_output_tokens'], most)),
    readStream: readResponseStream,
    readGeneration: () => readGeneration(body),
  };
}
