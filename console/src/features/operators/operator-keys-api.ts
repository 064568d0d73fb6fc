// What the console asks of /operator-keys.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { operatorKey, type OperatorKey, type OperatorKeyPatch, operatorKeyWithKey } from '#contract/operator-keys.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const PATH = '/operator-keys';

export function useCreateOperatorKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('POST', PATH, { schema: operatorKeyWithKey, body }),
    onSuccess: () => forget(client, PATH),
  });
}

export function useChangeOperatorKey({ id, etag }: OperatorKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OperatorKeyPatch) =>
      callApi('PATCH', `${PATH}/${encodeURIComponent(id)}`, { schema: operatorKey, body, etag }),
    onSuccess: () => forget(client, PATH),
  });
}

export function useRevokeOperatorKey({ id, etag }: OperatorKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', `${PATH}/${encodeURIComponent(id)}`, { schema: z.undefined(), etag }),
    onSuccess: () => forget(client, PATH),
  });
}
