// What the gateway finds for a few letters.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type FoundKind, searchAnswer } from '#contract/search.ts';
import { callApi } from './api-client.ts';

interface Search {
  q: string;
  kind?: FoundKind;
  limit?: number;
}

export const searchQuery = ({ q, kind, limit = 8 }: Search) =>
  queryOptions({
    queryKey: ['/search', kind ?? null, q, limit],
    queryFn: async ({ signal }) =>
      (
        await callApi('GET', '/search', {
          schema: searchAnswer,
          query: { q: q === '' ? undefined : q, kind, limit },
          signal,
        })
      ).found,
    staleTime: 15_000,
    placeholderData: keepPreviousData,
  });
