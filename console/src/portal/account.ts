// What several pages of the portal read: the account, and its tokens by name.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { portalAccount, portalTokenList } from '#contract/portal.ts';
import { callApi } from '../lib/api-client.ts';
import { wholeList } from '../lib/lists.ts';

export const accountQuery = queryOptions({
  queryKey: ['/account'],
  queryFn: ({ signal }) => callApi('GET', '/account', { schema: portalAccount, signal }),
});

/** The word beside amounts. */
export function useCurrency(): string {
  return useQuery(accountQuery).data?.currency ?? '';
}

const allTokens = wholeList('/tokens', portalTokenList);

/** Id -> name. A member knows only their own tokens; others are shown by id. */
export function useTokenNames(): ReadonlyMap<string, string> {
  return new Map((useQuery(allTokens).data ?? []).map(({ id, name }) => [id, name]));
}
