// The input of a kept response, page by page, as the vendor lists it.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { asText, type JsonRecord } from '../../json/json-value.ts';

const USUAL = 20;
const MOST = 100;

/** Newest first by default. https://platform.openai.com/docs/api-reference/responses/input-items */
export function listItems(items: readonly JsonRecord[], query: URLSearchParams): JsonRecord {
  const limit = readLimit(query.get('limit'));
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw invalidRequest("'order' must be asc or desc.", 'order');
  const ordered = order === 'asc' ? items : items.toReversed();
  const page = ordered.slice(startAfter(ordered, query.get('after')));
  const data = page.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: asText(data[0]?.['id']) ?? '',
    last_id: asText(data.at(-1)?.['id']) ?? '',
    has_more: page.length > limit,
  };
}

function readLimit(text: string | null): number {
  if (text === null || text === '') return USUAL;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw invalidRequest(`'limit' must be from 1 to ${MOST}.`, 'limit');
}

function startAfter(items: readonly JsonRecord[], after: string | null): number {
  if (after === null || after === '') return 0;
  const index = items.findIndex((item) => item['id'] === after);
  if (index !== -1) return index + 1;
  throw invalidRequest("'after' must be the id of an item of this response.", 'after');
}
