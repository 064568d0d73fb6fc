// The request log in parts by day, where the engine can drop a part: forgetting old lines then costs nothing.
import type { Migration } from './migration.ts';

export const requestPartitions: Migration = {
  name: '0040-request-partitions',
  statements: ({ dayParts }) =>
    dayParts({
      table: 'requests',
      prefix: 'req',
      index: { name: 'requests_by_account', columns: 'account_id, id' },
      sums: 'usage_sums',
    }),
};
