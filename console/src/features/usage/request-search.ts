// The way from a bar or a row of usage to the requests behind it: the same filters, the same time.
import type { UsageKey } from '#contract/usage.ts';

export const filterNames = [
  'account_id',
  'token_id',
  'channel_id',
  'model',
  'group',
  'provider',
  'endpoint',
  'status',
  'failed',
  'mode',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = { [name in FilterName]?: string };

const filterOf: Record<UsageKey, FilterName> = {
  account: 'account_id',
  token: 'token_id',
  channel: 'channel_id',
  model: 'model',
  group: 'group',
  provider: 'provider',
  endpoint: 'endpoint',
  status: 'status',
  mode: 'mode',
};

/** Requests that had no such thing; of other keys there is no filter for none. */
const lacking: Partial<Record<UsageKey, string>> = {
  model: 'model',
  channel: 'channel',
  provider: 'channel',
  account: 'account',
  token: 'account',
  endpoint: 'endpoint',
};

/** Filters that leave only one name. */
export function narrowed(filters: Filters, by: UsageKey, key: string): Filters {
  return key === '' ? filters : { ...filters, [filterOf[by]]: key };
}

export interface RequestSearch extends Filters {
  from: string;
  to: string;
  lacks?: string;
}

/** undefined as key: whatever the name. */
export function requestSearch(
  filters: Filters,
  { from, to }: { from: number; to: number },
  { by, key }: { by: UsageKey; key: string | undefined } = { by: 'model', key: undefined },
): RequestSearch {
  const time = { from: String(from), to: String(to) };
  if (key === undefined || (by === 'status' && key === '0')) return { ...filters, ...time };
  const lacks = key === '' ? lacking[by] : undefined;
  return { ...narrowed(filters, by, key), ...time, ...(lacks !== undefined && { lacks }) };
}
