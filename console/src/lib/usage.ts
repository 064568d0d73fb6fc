// Usage from the gateway's sums.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { usageTimes } from '#contract/usage-times.ts';
import { usageList, type UsageKey, type UsageRow } from '#contract/usage.ts';
import { callApi } from './api-client.ts';

const DAY = 86_400;

export interface UsageQuery {
  from: number;
  to: number;
  bucket: 'hour' | 'day';
  by?: UsageKey;
  filter?: { account_id?: string; token_id?: string; channel_id?: string; model?: string; mode?: 'live' | 'test' };
}

export function usageQuery({ filter = {}, ...query }: UsageQuery) {
  return queryOptions({
    queryKey: ['/usage', query, filter],
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<UsageRow[]> =>
      (await callApi('GET', '/usage', { schema: usageList, query: { ...query, ...filter }, signal })).data,
  });
}

/** Percentiles of the last day, the minute that runs included; the gateway tells no longer ones. */
export function timesQuery(minute: number, mode: 'live' | 'test') {
  const to = minute + 120; // pages notice a new minute up to a minute late
  return queryOptions({
    queryKey: ['/usage/times', to, mode],
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    retry: false, // a log too long to read in time stays so
    queryFn: ({ signal }) =>
      callApi('GET', '/usage/times', { schema: usageTimes, query: { from: to - DAY, to, mode }, signal }),
  });
}
