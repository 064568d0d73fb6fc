// What a token's calls do by default, beside its scopes.
import type { Migration } from './migration.ts';

export const tokenOptions: Migration = {
  name: '0004-token-options',
  statements: () => [`alter table tokens add column options text not null default '{}'`],
};
