// Calls for usage: sums by time, the largest by name, and the times the gateway was away.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { outageList, type UsageKey, usageList, type UsageRank, type UsageRow } from '#contract/usage.ts';
import { callApi, type Query } from '../../lib/api-client.ts';

export interface SumsQuery {
  from: number;
  to: number;
  bucket: 'hour' | 'day' | 'all';
  zone?: string;
  by?: UsageKey;
  rank?: UsageRank;
  only?: readonly string[];
}

const PAGE = 50;
const MOST_AT_ONCE = 10_000;
const AGAIN_MS = 30_000;

export function sumsQuery(query: SumsQuery, filters: Query, enabled = true) {
  return queryOptions({
    queryKey: ['/usage', query, filters],
    enabled,
    staleTime: AGAIN_MS / 2,
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      callApi('GET', '/usage', { schema: usageList, query: { ...query, ...filters }, signal }),
  });
}

/** By name, the largest first, page by page. */
export function rankedQuery(query: Omit<SumsQuery, 'bucket'>, filters: Query) {
  return infiniteQueryOptions({
    queryKey: ['/usage', 'ranked', query, filters],
    staleTime: AGAIN_MS / 2,
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor,
    queryFn: async ({ signal, pageParam }) =>
      callApi('GET', '/usage', {
        schema: usageList,
        query: { ...query, ...filters, bucket: 'all', limit: PAGE, cursor: pageParam },
        signal,
      }),
  });
}

export function outagesQuery(range: { from: number; to: number }) {
  return queryOptions({
    queryKey: ['/usage/outages', range],
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await callApi('GET', '/usage/outages', { schema: outageList, query: range, signal })).data,
  });
}

/** All rows, for a file. */
export async function allRows(query: SumsQuery, filters: Query): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: UsageRow[]; next_cursor: string | null } = await callApi('GET', '/usage', {
      schema: usageList,
      query: { ...query, ...filters, limit: MOST_AT_ONCE, cursor },
    });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}
