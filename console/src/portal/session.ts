// Which member is signed in, and the ways in and out.
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type PortalSession, portalSession } from '#contract/portal.ts';
import { callApi, rememberCsrf } from '../lib/api-client.ts';
import { ApiError } from '../lib/api-error.ts';
import { notifyFailure } from '../lib/notify-failure.ts';

/** null = nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Infinity,
  retry: false,
  queryFn: async ({ signal }): Promise<PortalSession | null> => {
    try {
      const answer = await callApi('GET', '/session', { schema: portalSession, signal });
      rememberCsrf(answer.csrf_token);
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export function useSession(): PortalSession | null | undefined {
  return useQuery(sessionQuery).data;
}

/** May the member change things? */
export function useMayChange(): boolean {
  const role = useSession()?.role;
  return role === 'owner' || role === 'member';
}

export function useSignIn() {
  return useEntry<{ email: string; password: string }>('/session');
}

export function useAcceptInvite() {
  return useEntry<{ token: string; password: string }>('/invites/accept');
}

export function useChangePassword() {
  return useEntry<{ current_password: string; new_password: string }>('/session/password');
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', '/session', { schema: z.undefined() }),
    onSettled(_answer, error) {
      // A failed sign-out must be shown; a session that is over already is no failure.
      if (error !== null && !(error instanceof ApiError && error.status === 401)) return notifyFailure(error);
      forgetTheRest(client);
      client.setQueryData(sessionQuery.queryKey, null);
    },
  });
}

/** Whatever answers with a session begins one. */
function useEntry<Body extends object>(path: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => callApi('POST', path, { schema: portalSession, body }),
    onSuccess(answer) {
      forgetTheRest(client);
      rememberCsrf(answer.csrf_token);
      client.setQueryData(sessionQuery.queryKey, answer);
    },
  });
}

/** What one member saw is not the next one's. The session stays, because the page watches it. */
function forgetTheRest(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
