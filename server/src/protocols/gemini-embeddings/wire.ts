// The fields of a request for vectors that have a fixed type. All others are passed on unread, and null always counts as
// absent. https://ai.google.dev/api/embeddings
import { inBothSpellings } from '../gemini-generate-content/spelling.ts';
import { ARRAY, INTEGER, OBJECT, STRING } from '../json/json-request.ts';

/** Of one request, alone or in a batch. */
export const embedFields = inBothSpellings([
  ['model', STRING],
  ['content', OBJECT],
  ['taskType', STRING],
  ['title', STRING],
  ['outputDimensionality', INTEGER],
]);

export const batchFields = inBothSpellings([['requests', ARRAY]]);

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['content', 'model', 'requests']);
