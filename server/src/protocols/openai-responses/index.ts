// The responses protocol: nothing but the list of its parts.
import { OPENAI_NAMES } from '../translation/fit-names.ts';
import { passOn } from '../json/conversation-request.ts';
import { countsOnly } from '../json/count-tokens.ts';
import { namedObjects } from '../json/named-objects.ts';
import { readComplaint } from '../openai-chat/error.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { limitIn, limitOutput } from '../json/read-limit.ts';
import { serverToolsOf, toolLimitsIn } from '../json/server-tools.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { type Keeping, readGeneration } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { ResponsesPartsWriter } from './client/write-stream.ts';
import { foreignSignaturesIn } from './foreign-signatures.ts';
import { NumberedFraming } from './framing.ts';
import { readResponseAnswer } from './read-answer.ts';
import { readConversationRequest, readResponseRequest, type ResponseRequest } from './read-request.ts';
import { readResponseStream, responseErrorEvent } from './relay-stream.ts';
import { readResult } from './upstream/read-result.ts';
import { ResponsesPartsReader } from './upstream/read-stream.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { callIds, fixedFields, RESPONSES, settingPaths, toolFields } from './wire.ts';

export const openaiResponses: Protocol = {
  name: RESPONSES,
  operation: 'responses',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readResponseAnswer,
  readComplaint,
  readLimit: limitIn('max_output_tokens'),
  readToolLimits: toolLimitsIn(toolFields),
  tierFields: ['service_tier'],
  errorEvent: (error) => responseErrorEvent(error),
};

/** How long the input of a response is, without a response. */
export const countResponses: Protocol = countsOnly(openaiResponses, 'count-responses', 'input_tokens');

/** A conversation in fewer words, to go on from. */
export const compactResponses: Protocol = { ...openaiResponses, operation: 'compact' };

export const openaiResponsesClient: ClientSide = {
  name: RESPONSES,
  settingPaths,
  writeResult,
  writeStream: (context) => new ResponsesPartsWriter(context),
};

export const openaiResponsesUpstream: UpstreamSide = {
  name: RESPONSES,
  names: OPENAI_NAMES,
  protocol: openaiResponses,
  writeGeneration,
  readResult,
  readStream: () => new ResponsesPartsReader(),
};

export { readResponseState, type ResponseState } from './read-answer.ts';

/** Throws a GatewayError that names the field. */
export function readResponse(body: Buffer, keeping?: Keeping): RelayRequest & ResponseRequest {
  const request = relayRequest(readResponseRequest(body));
  const { json } = request;
  const framing = request.stream ? new NumberedFraming() : undefined;
  return {
    ...request,
    serverTools: serverToolsOf(json, toolFields),
    fit: (most) => readResponse(limitOutput(json, ['max_output_tokens'], most), keeping),
    ...(framing !== undefined && { framing }),
    readStream() {
      const reader = readResponseStream(json.fields.has('tools'));
      return framing?.wrap(reader) ?? reader;
    },
    readGeneration: () => readGeneration(body, keeping),
  };
}

/** A conversation to count or to compact. Nothing limits what the upstream makes of it. */
export function readConversation(body: Buffer): RelayRequest & ResponseRequest {
  return relayRequest(readConversationRequest(body));
}

function relayRequest(request: ResponseRequest): RelayRequest & ResponseRequest {
  const { json } = request;
  return {
    ...request,
    ...passOn(request, { fixed: fixedFields, callIds, signatures: foreignSignaturesIn(json) }),
    namedObjects: () => namedObjects(json, { items: true }),
    readStream: () => readResponseStream(false),
  };
}

/** /v1/responses/input_tokens. https://platform.openai.com/docs/api-reference/responses */
export function writeTokenCount(inputTokens: number): Buffer {
  return Buffer.from(JSON.stringify({ object: 'response.input_tokens', input_tokens: inputTokens }));
}
