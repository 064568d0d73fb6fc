// What the console asks of /codes.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { codesCreated } from '#contract/codes.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export function useCreateCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('POST', '/codes', { schema: codesCreated, body }),
    onSuccess: () => forget(client, '/codes'),
  });
}

export function removeCode(id: string): Promise<undefined> {
  return callApi('DELETE', `/codes/${encodeURIComponent(id)}`, { schema: z.undefined() });
}

export function useRemoveCode(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => removeCode(id),
    onSuccess: () => forget(client, '/codes'),
  });
}
