// Who set the limits of a token, so that a member does not lift what an operator or an owner set (contract-2 10).
import type { Migration } from './migration.ts';

export const tokenLimitsSetBy: Migration = {
  name: '0141-token-limits-set-by',
  statements: () => [
    `alter table tokens add column limits_set_by text`,
    // Nobody knows who disabled these: the operator decides.
    `update tokens set limits_set_by = '{"status":"operator"}' where status = 'disabled' and member_id is not null`,
  ],
};
