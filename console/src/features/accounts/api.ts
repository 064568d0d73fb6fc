// What the console asks of /accounts.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Account, account } from '#contract/accounts.ts';
import { ledgerEntry } from '#contract/ledger.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['/accounts', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/accounts/${encodeURIComponent(id)}`, { schema: account, signal }),
  });

/** undefined = a new account. */
export function useSaveAccount(before: Account | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      before === undefined
        ? callApi('POST', '/accounts', { schema: account, body })
        : callApi('PATCH', `/accounts/${encodeURIComponent(before.id)}`, { schema: account, body, etag: before.etag }),
    onSuccess: () => forget(client, '/accounts'),
  });
}

export function useAddCredit(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { amount: string; note: string | null }) =>
      callApi('POST', `/accounts/${encodeURIComponent(id)}/credits`, { schema: ledgerEntry, body }),
    onSuccess: () => forget(client, '/accounts', '/ledger'),
  });
}
