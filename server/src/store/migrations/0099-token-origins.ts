// Which pages may use a token: origins, as browsers send them (contract-2 7).
import type { Migration } from './migration.ts';

export const tokenOrigins: Migration = {
  name: '0099-token-origins',
  statements: () => [`alter table tokens add column origins text not null default '[]'`],
};
