// What the lists of operators need to find few lines among millions. The log's two indexes hold every filter and lie in the
// order of the ids: a new line costs one entry at the end, whatever it is about (docs/decisions/2026-11-15-list-indexes.md).
import type { Migration } from './migration.ts';

/** Those that have no index of their own come first: to reach a column, all before it are passed. */
const FILTERED = 'id, model, channel_id, status, token_id, account_id, created_at, error_code';

export const listIndexes: Migration = {
  name: '0060-list-indexes',
  statements: () => [
    `create index requests_filtered on requests (${FILTERED})`,
    `create index requests_failed on requests (${FILTERED}) where status <> 200 or error_code is not null`,
    'drop index ledger_by_account',
    'create index ledger_by_account on ledger (account_id, id, token_id, kind)',
    `create index ledger_credits on ledger (id, account_id) where kind = 'credit'`,
    `create index ledger_tests on ledger (id, account_id) where mode = 'test'`,
    'create index tasks_by_request on tasks (request_id)',
    'create index tasks_by_token on tasks (token_id, id)',
    'create index tasks_by_model on tasks (model, id)',
    'create index tasks_by_channel on tasks (channel_id, id)',
    'create index tasks_by_state on tasks (state, id)',
    'create index audit_by_operator on audit (operator, id)',
    'create index audit_by_action on audit (action, id)',
    'create index audit_by_resource on audit (resource, id)',
    'create index audit_by_resource_id on audit (resource_id, id)',
  ],
};
