// What the console asks of the operator's own second factor.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { secondFactor, secondFactorBegun, secondFactorConfirmed } from '#contract/session.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const PATH = '/session/second-factor';

export const secondFactorQuery = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi('GET', PATH, { schema: secondFactor, signal }),
});

export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: { password: string }) => callApi('POST', PATH, { schema: secondFactorBegun, body }),
  });
}

export function useConfirmSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { code: string }) => callApi('POST', `${PATH}/confirm`, { schema: secondFactorConfirmed, body }),
    onSuccess: () => forget(client, PATH),
  });
}

export function useRemoveSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      callApi('POST', `${PATH}/remove`, { schema: z.undefined(), body }),
    onSuccess: () => forget(client, PATH),
  });
}
