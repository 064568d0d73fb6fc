// When the gateway ran, for charts that show when it did not; and the index of the log's filters (migration 0060) with all that
// usage is grouped by, so that every bar of a chart leads to its requests.
import type { Migration } from './migration.ts';

/** Those that have no index of their own come first: to reach a column, all before it are passed. */
const FILTERED =
  'id, model, channel_id, status, token_id, account_id, created_at, error_code, endpoint, group_name, mode';

export const gatewayRuns: Migration = {
  name: '0119-gateway-runs',
  statements: ({ id, time }) => [
    `create table gateway_runs (id ${id} primary key, started_at ${time} not null, seen_at ${time} not null)`,
    'create index gateway_runs_seen on gateway_runs (seen_at)',
    'drop index requests_filtered',
    `create index requests_filtered on requests (${FILTERED})`,
  ],
};
