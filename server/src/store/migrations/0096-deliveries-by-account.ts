// Finds the accounts that have webhook deliveries to send, so that each of them gets its share.
import type { Migration } from './migration.ts';

export const deliveriesByAccount: Migration = {
  name: '0096-deliveries-by-account',
  statements: () => [
    `create index webhook_deliveries_by_account on webhook_deliveries (account_id, next_attempt_at)
      where completed_at is null`,
  ],
};
