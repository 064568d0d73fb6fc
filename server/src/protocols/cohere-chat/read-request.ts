// Reads from the bytes of a request to /v2/chat what routing, the hold and the answer's form need.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonObject, readField } from '../../shared/json-fields.ts';
import { presentField, readJsonBody, readModel, readWhole } from '../json/json-request.ts';
import { chatFields, decidingFields } from './wire.ts';

export interface CohereRequest {
  json: JsonObject;
  model: string;
  stream: boolean;
  maxOutputTokens: number | undefined;
  choices: 1;
  /** Bytes of the body without embedded media. */
  inputBytes: number;
  mediaCount: number;
}

/** Throws invalid_request that names the field. */
export function readCohereRequest(bytes: Buffer): CohereRequest {
  const json = readJsonBody(bytes, chatFields, decidingFields);
  const model = readModel(json);
  const messages = presentField(json, 'messages');
  if (messages === undefined) throw invalidRequest("'messages' is required.", 'messages');
  if (arrayIsEmpty(json, messages)) throw invalidRequest("'messages' must not be empty.", 'messages');
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    maxOutputTokens: readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER),
    choices: 1,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
  };
}
