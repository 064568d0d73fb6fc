// A second factor for operators who want one: the sealed secret, whether its owner has shown that they have it, the last
// time step that was used, and the digests of the recovery codes that are left.
import type { Migration } from './migration.ts';

export const operatorTotp: Migration = {
  name: '0050-operator-totp',
  statements: ({ time }) => [
    'alter table operators add column totp_secret text',
    'alter table operators add column totp_confirmed integer not null default 0',
    `alter table operators add column totp_step ${time} not null default 0`,
    "alter table operators add column recovery_hashes text not null default '[]'",
  ],
};
