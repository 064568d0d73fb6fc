// Reads an embeddings request and writes it for a channel: the caller's bytes with the upstream's model name and without
// the channel's filtered fields.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonObject } from '../../shared/json-fields.ts';
import { presentField, readJsonBody, readModel, readWhole } from '../json/json-request.ts';
import type { RelayRequest } from '../protocol.ts';
import { BytesReader } from '../stream/relay-bytes.ts';
import { writeJson } from '../json/write-json.ts';
import { readEmbeddingRequest } from './translate.ts';
import { decidingFields, embeddingFields, fixedFields } from './wire.ts';

/** Throws invalid_request that names the field. */
export function readEmbedding(bytes: Buffer): RelayRequest {
  const json = readJsonBody(bytes, embeddingFields, decidingFields);
  const model = readModel(json);
  requireInput(json);
  readWhole(json, 'dimensions', Number.MAX_SAFE_INTEGER);
  return {
    model,
    stream: false,
    maxOutputTokens: 0, // vectors are no tokens
    choices: 1,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
    write: (target) => writeJson({ json, model, fixed: fixedFields }, target),
    readStream: () => new BytesReader(),
    readEmbedding: () => readEmbeddingRequest(bytes),
  };
}

/** A text, or a list that is not empty. */
export function requireInput(json: JsonObject): void {
  const input = presentField(json, 'input');
  if (input === undefined) throw invalidRequest("'input' is required.", 'input');
  if (arrayIsEmpty(json, input)) throw invalidRequest("'input' must not be empty.", 'input');
}
