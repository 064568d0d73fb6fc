// The sums of usage in partitions by month, for the same reason as the request log (migration 0040).
import type { DividedTable, Migration } from './migration.ts';

export const usageByMonth: DividedTable = {
  table: 'usage_sums',
  length: 'month',
  key: { column: 'bucket' },
  primaryKey: 'bucket, account_id, token_id, group_name, model, channel_id, mode',
};

export const usagePartitions: Migration = {
  name: '0071-usage-partitions',
  statements: ({ timePartitions }) => timePartitions(usageByMonth),
};
