// Usage of the account from the gateway's sums.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { portalUsageList, type PortalUsageRow } from '#contract/portal.ts';
import { callApi } from '../../lib/api-client.ts';
import type { UsageQuery } from './usage.ts';

export function usageQuery(query: UsageQuery) {
  return queryOptions({
    queryKey: ['/usage', query],
    staleTime: 15_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<PortalUsageRow[]> =>
      (await callApi('GET', '/usage', { schema: portalUsageList, query: { ...query }, signal })).data,
  });
}
