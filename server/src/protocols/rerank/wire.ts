// The fields of a rerank request that have a fixed type (contract 5), and the answer as callers get it, whatever the vendor
// said. All other fields of a request are passed on unread, and null always counts as absent.
import { ARRAY, BOOLEAN, INTEGER, STRING, type WireFields } from '../json/json-request.ts';

export const rerankFields: WireFields = new Map([
  ['model', STRING],
  ['query', STRING],
  ['documents', ARRAY],
  ['top_n', INTEGER],
  ['return_documents', BOOLEAN],
]);

/** Given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [...rerankFields.keys()];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'query', 'documents']);

export interface RerankAnswer {
  id?: string;
  model: string;
  results: RerankResult[];
  usage: { prompt_tokens?: number; total_tokens?: number; search_units: number };
  meta?: { api_version: { version: string }; billed_units: { search_units: number } };
}

export interface RerankResult {
  index: number;
  relevance_score: number;
  document?: { text: string };
}
