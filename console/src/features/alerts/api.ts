// Calls about alerts: their rules and sinks.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  alertDelivery,
  alertRule,
  type AlertRule,
  alertRuleList,
  type alertRulePut,
  type AlertSink,
  type alertSinkCreate,
  alertSinkMade,
  type alertSinkPatch,
} from '#contract/alerts.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const SINKS = '/alerts/sinks';

export const rulesQuery = queryOptions({
  queryKey: ['/alerts/rules'],
  refetchInterval: 5_000,
  queryFn: async ({ signal }): Promise<AlertRule[]> =>
    (await callApi('GET', '/alerts/rules', { schema: alertRuleList, signal })).data,
});

export function useSetRule({ rule, etag }: AlertRule) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof alertRulePut>) =>
      callApi('PUT', `/alerts/rules/${rule}`, { schema: alertRule, body, etag }),
    onSuccess: () => forget(client, '/alerts/rules', '/alerts'),
  });
}

export function useSaveSink(sink: AlertSink | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof alertSinkCreate> | z.input<typeof alertSinkPatch>) =>
      sink === undefined
        ? callApi('POST', SINKS, { schema: alertSinkMade, body })
        : callApi('PATCH', `${SINKS}/${sink.id}`, { schema: alertSinkMade, body, etag: sink.etag }),
    onSuccess: () => forget(client, SINKS),
  });
}

export function useRemoveSink({ id, etag }: AlertSink) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', `${SINKS}/${id}`, { schema: z.undefined(), etag }),
    onSuccess: () => forget(client, SINKS),
  });
}

export function useTestSink({ id }: AlertSink) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST', `${SINKS}/${id}/test`, { schema: alertDelivery }),
    onSuccess: () => forget(client, `${SINKS}/${id}/deliveries`),
  });
}
