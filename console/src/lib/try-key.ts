// The access token that the playground and the first steps call with. It lives in this page's memory only, and is gone
// when the operator signs out or reloads.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tokenWithKey } from '#contract/tokens.ts';
import { callApi } from './api-client.ts';
import { forget } from './lists.ts';

export interface TryKey {
  key: string;
  hint: string;
}

const QUERY = ['try-key'];
const LIFE_SECONDS = 3600;

export function useTryKey(): [TryKey | null, (key: TryKey | null) => void] {
  const client = useQueryClient();
  const { data = null } = useQuery<TryKey | null>({
    queryKey: QUERY,
    queryFn: () => null,
    staleTime: Infinity,
    gcTime: Infinity,
    enabled: false,
  });
  return [data, (key) => client.setQueryData(QUERY, key)];
}

/** A token that ends by itself after an hour. */
export function useMakeTryKey() {
  const client = useQueryClient();
  const [, setKey] = useTryKey();
  return useMutation({
    mutationFn: ({ accountId, name }: { accountId: string; name: string }) =>
      callApi('POST', '/tokens', {
        schema: tokenWithKey,
        body: { account_id: accountId, name, expires_at: Math.floor(Date.now() / 1000) + LIFE_SECONDS },
      }),
    onSuccess(token) {
      setKey({ key: token.key, hint: token.key_hint });
      return forget(client, '/tokens');
    },
  });
}
