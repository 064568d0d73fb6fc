// Rate policies of accounts, beside those of their tokens.
import type { Migration } from './migration.ts';

export const accountRate: Migration = {
  name: '0031-account-rate',
  statements: () => [`alter table accounts add column rate text not null default '{}'`],
};
