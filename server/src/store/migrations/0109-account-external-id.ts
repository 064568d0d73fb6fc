// What an account is called elsewhere: an import finds its accounts again by it, and no two can have the same.
import type { Migration } from './migration.ts';

export const accountExternalId: Migration = {
  name: '0109-account-external-id',
  statements: () => [
    `alter table accounts add column external_id text`,
    `create unique index accounts_by_external_id on accounts (external_id)`,
  ],
};
