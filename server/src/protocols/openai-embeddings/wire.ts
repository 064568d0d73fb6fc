// The top-level fields of an embeddings request that have a fixed type. All others are passed on unread, and null always
// counts as absent.
import { INTEGER, STRING, TEXTS_OR_TOKENS, type WireFields } from '../json/json-request.ts';

export const embeddingFields: WireFields = new Map([
  ['model', STRING],
  ['input', TEXTS_OR_TOKENS],
  ['encoding_format', STRING],
  ['dimensions', INTEGER],
  ['user', STRING],
]);

/** Fields that decide the route or the money: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = ['model', 'input'];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(decidingFields);
