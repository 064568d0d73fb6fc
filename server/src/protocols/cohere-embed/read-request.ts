// Reads a request to /v2/embed and writes it for a channel of the same protocol.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { presentField, readJsonBody, readModel, readWhole, requireFilled } from '../json/json-request.ts';
import { writeJson } from '../json/write-json.ts';
import type { RelayRequest } from '../protocol.ts';
import { wholeRequest } from '../stream/relay-bytes.ts';
import { readEmbeddingRequest } from './translate.ts';
import { decidingFields, embedFields, fixedFields } from './wire.ts';

const INPUTS = ['texts', 'inputs', 'images'];

/** Throws invalid_request that names the field. */
export function readCohereEmbed(bytes: Buffer): RelayRequest {
  const json = readJsonBody(bytes, embedFields, decidingFields);
  const model = readModel(json);
  requireInput(json);
  readWhole(json, 'output_dimension', Number.MAX_SAFE_INTEGER);
  return {
    ...wholeRequest(json, model),
    write: (target) => writeJson({ json, model, fixed: fixedFields }, target),
    readEmbedding: () => readEmbeddingRequest(bytes),
  };
}

/** Exactly one of the three lists, and not an empty one. */
function requireInput(json: JsonObject): void {
  const given = INPUTS.filter((name) => presentField(json, name) !== undefined);
  const [name] = given;
  if (name === undefined) throw invalidRequest("'texts' is required.", 'texts');
  if (given.length > 1) throw invalidRequest(`'${given[1]}' may not stand beside '${name}'.`, given[1] ?? name);
  requireFilled(json, name);
}
