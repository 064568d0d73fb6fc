// What the portal asks of /tokens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { portalToken, portalTokenWithKey } from '#contract/portal.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const pathOf = (id: string): string => `/tokens/${encodeURIComponent(id)}`;

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('POST', '/tokens', { schema: portalTokenWithKey, body }),
    onSuccess: () => forget(client, '/tokens'),
  });
}

export function useChangeToken(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('PATCH', pathOf(id), { schema: portalToken, body }),
    onSuccess: () => forget(client, '/tokens'),
  });
}

export function useRotateToken(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { grace_seconds: number }) =>
      callApi('POST', `${pathOf(id)}/rotate`, { schema: portalTokenWithKey, body }),
    onSuccess: () => forget(client, '/tokens'),
  });
}

export function useEndToken(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', pathOf(id), { schema: z.undefined() }),
    onSuccess: () => forget(client, '/tokens'),
  });
}
