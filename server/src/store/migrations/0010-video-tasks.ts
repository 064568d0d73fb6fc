// Video tasks: the row that outlives every process, what happened to it, and what is reported of it.
import type { Migration } from './migration.ts';

export const videoTasks: Migration = {
  name: '0010-video-tasks',
  statements: ({ id, money, time, serial, byKey }) => [
    `create table tasks (
      id ${id} primary key, account_id ${id} not null, token_id text not null, group_name text not null, mode text not null,
      request_id text not null, endpoint text not null, model text not null, channel_id text, key_id text,
      upstream_id text, state text not null, progress integer not null, result_url text, fail_reason text,
      error_code text, sent text not null, told text not null, seconds integer, size text, hold ${money} not null,
      charge ${money}, arithmetic text, price text not null, version integer not null, lease_owner text,
      lease_until ${time}, next_poll_at ${time} not null, poll_failures integer not null, refused_since ${time},
      deadline ${time} not null, webhook_url text, archived integer not null, deleted_at ${time},
      created_at ${time} not null, updated_at ${time} not null, completed_at ${time}) ${byKey}`,
    `create index tasks_by_account on tasks (account_id, id)`,
    `create index tasks_by_upstream on tasks (channel_id, upstream_id)`,
    `create index tasks_by_end on tasks (completed_at)`,
    `create index tasks_due on tasks (next_poll_at) where completed_at is null`,
    `create table task_events (id ${serial}, task_id ${id} not null, status text not null, at ${time} not null)`,
    `create index task_events_by_task on task_events (task_id, id)`,
    `create table webhooks (
      account_id ${id} primary key, url text, secret text not null, created_at ${time} not null) ${byKey}`,
    `create table webhook_deliveries (
      id ${id} primary key, task_id ${id} not null, account_id text not null, url text not null, payload text not null,
      status text not null, attempts integer not null, log text not null, next_attempt_at ${time} not null,
      created_at ${time} not null, completed_at ${time}) ${byKey}`,
    `create index webhook_deliveries_by_task on webhook_deliveries (task_id, id)`,
    `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where completed_at is null`,
  ],
};
