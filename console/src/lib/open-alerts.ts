// Open alerts, for what needs attention.
import { queryOptions } from '@tanstack/react-query';
import { type Alert, alertList } from '#contract/alerts.ts';
import { callApi } from './api-client.ts';

export const openAlertsQuery = queryOptions({
  queryKey: ['/alerts', 'open'],
  refetchInterval: 5_000,
  queryFn: async ({ signal }): Promise<Alert[]> =>
    (await callApi('GET', '/alerts', { schema: alertList, query: { state: 'open', limit: 200 }, signal })).data,
});
