// The kinds of upstreams, as the server declares them: forms and tables show what it lists (contract-2 9).
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Provider, providerList } from '#contract/providers.ts';
import { callApi } from '../../lib/api-client.ts';

/** They change with the server's version only. */
export const providersQuery = queryOptions({
  queryKey: ['/providers'],
  queryFn: async ({ signal }) => (await callApi('GET', '/providers', { schema: providerList, signal })).data,
  staleTime: Infinity,
});

export function useProviders(): Provider[] {
  return useQuery(providersQuery).data ?? [];
}

/** undefined until the list is loaded, and for a kind that this version does not have. */
export function useProvider(name: string): Provider | undefined {
  return useProviders().find((provider) => provider.name === name);
}
