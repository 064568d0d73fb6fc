// Reads an embeddings request and writes it for a channel: the caller's bytes with the upstream's model name and without
// the channel's filtered fields.
import { readJsonBody, readModel, readWhole, requireFilled } from '../json/json-request.ts';
import type { RelayRequest } from '../protocol.ts';
import { wholeRequest } from '../stream/relay-bytes.ts';
import { writeJson } from '../json/write-json.ts';
import { readEmbeddingRequest } from './translate.ts';
import { decidingFields, embeddingFields, fixedFields } from './wire.ts';

/** Throws invalid_request that names the field. */
export function readEmbedding(bytes: Buffer): RelayRequest {
  const json = readJsonBody(bytes, embeddingFields, decidingFields);
  const model = readModel(json);
  requireFilled(json, 'input');
  readWhole(json, 'dimensions', Number.MAX_SAFE_INTEGER);
  return {
    ...wholeRequest(json, model),
    write: (target) => writeJson({ json, model, fixed: fixedFields }, target),
    readEmbedding: () => readEmbeddingRequest(bytes),
  };
}
