// Reads from the bytes of a request to /v2/chat what routing, the hold and the answer's form need.
import { readField } from '../../shared/json-fields.ts';
import { inputSize, readJsonBody, readModel, readWhole, requireFilled } from '../json/json-request.ts';
import type { ReadRequest } from '../protocol.ts';
import { chatFields, decidingFields } from './wire.ts';

/** Throws invalid_request that names the field. */
export function readCohereRequest(bytes: Buffer): ReadRequest {
  const json = readJsonBody(bytes, chatFields, decidingFields);
  const model = readModel(json);
  requireFilled(json, 'messages');
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    maxOutputTokens: readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER),
    choices: 1,
    ...inputSize(json),
  };
}
