// The few requests whose reported usage could not be true: operators look for them among all of a day.
import type { Migration } from './migration.ts';

export const boundedRequests: Migration = {
  name: '0085-bounded-requests',
  statements: () => [`create index requests_bounded on requests (id, channel_id) where usage_source = 'bounded'`],
};
