// /search and /names: for people who know a few letters of a name, and for pages that know only an id.
import { namesAnswer, namesQuery, searchAnswer, searchQuery } from '#contract/search.ts';
import { namesOf } from '../../store/queries/names.ts';
import { searchAll } from '../../store/queries/search.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, route } from '../operation.ts';

const TAG = 'Search';

export function searchRoutes(app: OperatorApp, { store: { reads, lists } }: OperatorDependencies): void {
  app.get(
    '/search',
    route(TAG, 'Find accounts, tokens, channels, models, requests and tasks by name or id', {
      querystring: searchQuery,
      response: { 200: searchAnswer, ...failuresOfList },
    }),
    async ({ query }) => ({ found: await searchAll(lists, query) }),
  );

  app.get(
    '/names',
    route(TAG, 'Names of accounts, tokens and channels by their ids', {
      querystring: namesQuery,
      response: { 200: namesAnswer, ...failuresOfList },
    }),
    async ({ query: { ids } }) => ({ names: await namesOf(reads, { accounts: ids, tokens: ids, channels: ids }) }),
  );
}
