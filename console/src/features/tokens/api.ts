// What the console asks of /tokens.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Token, token, type TokenPatch, tokenWithKey } from '#contract/tokens.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export type TokenWithKey = Token & { key: string };

export const tokenQuery = (id: string) =>
  queryOptions({
    queryKey: ['/tokens', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/tokens/${encodeURIComponent(id)}`, { schema: token, signal }),
  });

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('POST', '/tokens', { schema: tokenWithKey, body }),
    onSuccess: () => forget(client, '/tokens'),
  });
}

export function useChangeToken({ id, etag }: Pick<Token, 'id' | 'etag'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<TokenPatch>) =>
      callApi('PATCH', `/tokens/${encodeURIComponent(id)}`, { schema: token, body, etag }),
    onSuccess: () => forget(client, '/tokens'),
  });
}

export function useRotateToken({ id, etag }: Pick<Token, 'id' | 'etag'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (graceSeconds: number) =>
      callApi('POST', `/tokens/${encodeURIComponent(id)}/rotate`, {
        schema: tokenWithKey,
        body: { grace_seconds: graceSeconds },
        etag,
      }),
    onSuccess: () => forget(client, '/tokens'),
  });
}
