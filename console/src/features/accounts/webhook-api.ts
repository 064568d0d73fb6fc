// What the console asks of an account's webhook.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Webhook, webhook, webhookMade, type webhookPut } from '#contract/tasks.ts';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { forget } from '../../lib/lists.ts';

const pathOf = (accountId: string) => `/accounts/${encodeURIComponent(accountId)}/webhook`;

type Read = Webhook | null | undefined;

/** null = it has none. */
export const webhookQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['/webhooks', accountId],
    queryFn: async ({ signal }): Promise<Webhook | null> => {
      try {
        return await callApi('GET', pathOf(accountId), { schema: webhook, signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

export function useSetWebhook(accountId: string, before: Read) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof webhookPut>) =>
      callApi('PUT', pathOf(accountId), { schema: webhookMade, body, etag: before?.etag }),
    onSuccess: () => forget(client, '/webhooks'),
  });
}

export function useRemoveWebhook(accountId: string, before: Read) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', pathOf(accountId), { schema: z.undefined(), etag: before?.etag }),
    onSuccess: () => forget(client, '/webhooks'),
  });
}
