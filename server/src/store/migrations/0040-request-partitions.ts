// The request log in partitions by day, where the engine can drop a partition: forgetting old lines then costs nothing.
import type { DividedTable, Migration } from './migration.ts';

export const requestsByDay: DividedTable = {
  table: 'requests',
  length: 'day',
  key: { column: 'id', idPrefix: 'req' },
  primaryKey: 'id',
  index: { name: 'requests_by_account', columns: 'account_id, id' },
  sums: 'usage_sums',
};

export const requestPartitions: Migration = {
  name: '0040-request-partitions',
  statements: ({ timePartitions }) => timePartitions(requestsByDay),
};
