// Who is signed in, and the ways in and out.
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Session, session } from '#contract/session.ts';
import { callApi, rememberCsrf } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { forgetNames } from './names.ts';
import { notifyFailure } from './notify-failure.ts';

/** null = nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Infinity,
  retry: false,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const answer = await callApi('GET', '/session', { schema: session, signal });
      rememberCsrf(answer.csrf_token);
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export function useSession(): Session | null | undefined {
  return useQuery(sessionQuery).data;
}

/** The word beside amounts. */
export function useCurrency(): string {
  return useSession()?.currency ?? '';
}

/** May the operator change things? */
export function useMayChange(): boolean {
  return useSession()?.role === 'admin';
}

/** What one operator saw is not the next one's. The session stays, because the page watches it. */
function forgetTheRest(client: QueryClient): void {
  forgetNames();
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; password: string; code?: string }) =>
      callApi('POST', '/session', { schema: session, body }),
    onSuccess(answer) {
      forgetTheRest(client);
      rememberCsrf(answer.csrf_token);
      client.setQueryData(sessionQuery.queryKey, answer);
    },
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      callApi('POST', '/session/password', { schema: session, body }),
    onSuccess(answer) {
      rememberCsrf(answer.csrf_token);
      client.setQueryData(sessionQuery.queryKey, answer);
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      callApi('DELETE', '/session', { schema: z.undefined(), query: { everywhere } }),
    onSettled(_answer, error) {
      // A failed sign-out must be shown; a session that is over already is no failure.
      if (error !== null && !(error instanceof ApiError && error.status === 401)) return notifyFailure(error);
      forgetTheRest(client);
      client.setQueryData(sessionQuery.queryKey, null);
    },
  });
}
