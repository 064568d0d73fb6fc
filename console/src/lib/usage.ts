// Usage from the gateway's sums.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { usageList, type UsageKey, type UsageRow } from '#contract/usage.ts';
import { callApi } from './api-client.ts';

export interface UsageWish {
  from: number;
  to: number;
  bucket: 'hour' | 'day';
  by?: UsageKey;
  filter?: { account_id?: string; token_id?: string; channel_id?: string; mode?: 'live' | 'test' };
}

export function usageQuery({ filter = {}, ...wish }: UsageWish) {
  return queryOptions({
    queryKey: ['/usage', wish, filter],
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<UsageRow[]> =>
      (await callApi('GET', '/usage', { schema: usageList, query: { ...wish, ...filter }, signal })).data,
  });
}
