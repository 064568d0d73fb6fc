// Calls about one request.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ledgerEntry } from '#contract/ledger.ts';
import { type Refund, requestBodies, requestDetail } from '#contract/requests.ts';
import { token } from '#contract/tokens.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/requests/${encodeURIComponent(id)}`, { schema: requestDetail, signal }),
  });

export const bodiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'bodies', id],
    queryFn: ({ signal }) =>
      callApi('GET', `/requests/${encodeURIComponent(id)}/bodies`, { schema: requestBodies, signal }),
  });

export const tokenQuery = (id: string) =>
  queryOptions({
    queryKey: ['/tokens', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/tokens/${encodeURIComponent(id)}`, { schema: token, signal }),
  });

export function useRefund(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Refund) =>
      callApi('POST', `/requests/${encodeURIComponent(id)}/refund`, { schema: ledgerEntry, body }),
    onSettled: () => forget(client, '/requests', '/accounts', '/ledger', '/audit'),
  });
}

/** What the token may use becomes this list, unless somebody has changed the token meanwhile. */
export function useAllowModels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, etag, models }: { id: string; etag: string; models: string[] }) =>
      callApi('PATCH', `/tokens/${encodeURIComponent(id)}`, { schema: token, body: { models }, etag }),
    onSettled: () => forget(client, '/tokens', '/audit'),
  });
}
