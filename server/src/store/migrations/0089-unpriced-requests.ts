// The few requests that used something without a price: operators look for them among all of a day.
import type { Migration } from './migration.ts';

export const unpricedRequests: Migration = {
  name: '0089-unpriced-requests',
  statements: () => [`create index requests_unpriced on requests (id, model) where arithmetic like '%; unpriced: %'`],
};
