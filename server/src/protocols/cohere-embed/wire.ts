// The top-level fields of a request to Cohere's /v2/embed that have a fixed type. All others are passed over, and null always
// counts as absent. https://docs.cohere.com/reference/embed
import { INTEGER, NUMBER, OBJECTS, STRING, STRINGS, type WireFields } from '../json/json-request.ts';

export const embedFields: WireFields = new Map([
  ['model', STRING],
  ['texts', STRINGS],
  ['inputs', OBJECTS],
  ['images', STRINGS],
  ['input_type', STRING],
  ['embedding_types', STRINGS],
  ['output_dimension', INTEGER],
  ['truncate', STRING],
  ['max_tokens', NUMBER],
  ['priority', NUMBER],
]);

/** Fields that decide the route or the money: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = ['model', 'texts', 'inputs', 'images'];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set([...decidingFields, 'embedding_types']);
