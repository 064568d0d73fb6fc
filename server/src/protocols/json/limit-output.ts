// Lowers the limit of output tokens in a request's own bytes.
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';

/**
 * In every field of these that the caller sent; where it sent none, in the last one, which is the one that upstreams know
 * best: a limit that is overlooked would cost more than there is.
 */
export function limitOutput(json: JsonObject, fields: readonly string[], most: number): Buffer {
  const sent = fields.filter((name) => typeof readField(json, name) === 'number');
  const names = sent.length === 0 ? fields.slice(-1) : sent;
  return rewriteJsonObject(json, { set: Object.fromEntries(names.map((name) => [name, String(most)])) });
}
