// The protocol of Cohere's /v2/chat: nothing but the list of its parts.
import { sourcesIn } from '../json/body-names.ts';
import { limitIn, limitOutput } from '../json/read-limit.ts';
import { writeJson } from '../json/write-json.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import type { ClientSide } from '../text-protocol.ts';
import { readGeneration, settingPaths } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { CoherePartsWriter } from './client/write-stream.ts';
import { errorEvent, readComplaint } from './error.ts';
import { readCohereAnswer } from './read-answer.ts';
import { readCohereRequest } from './read-request.ts';
import { readCohereStream } from './relay-stream.ts';
import { COHERE, fixedFields } from './wire.ts';

export const cohereChat: Protocol = {
  name: COHERE,
  operation: 'cohere-chat',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readCohereAnswer,
  readComplaint,
  readLimit: limitIn('max_tokens'),
  errorEvent,
};

export const cohereChatClient: ClientSide = {
  name: COHERE,
  settingPaths,
  writeResult,
  writeStream: (context) => new CoherePartsWriter(context),
  lacksPictures: true,
};

/** Throws a GatewayError that names the field. */
export function readCohereChat(body: Buffer): RelayRequest {
  const request = readCohereRequest(body);
  const { json, model } = request;
  return {
    ...request,
    write: (target) => writeJson({ json, model, fixed: fixedFields }, target),
    readStream: readCohereStream,
    readGeneration: () => readGeneration(body),
    ...sourcesIn(body),
    fit: (most) => readCohereChat(limitOutput(json, ['max_tokens'], most)),
  };
}
