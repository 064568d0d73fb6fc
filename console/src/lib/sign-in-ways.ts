// The ways in that the gateway offers, for the sign-in pages of console and portal.
import { queryOptions } from '@tanstack/react-query';
import { signInWays } from '#contract/oidc.ts';
import { callApi } from './api-client.ts';

/** Without an answer there is the password. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in ways'],
  staleTime: Infinity,
  retry: false,
  queryFn: ({ signal }) => callApi('GET', '/session/ways', { schema: signInWays, signal }),
});
