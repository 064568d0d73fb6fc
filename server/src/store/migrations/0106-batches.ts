// Batches, their lines while they run, and the answers to lines until the batch has ended.
import type { Migration } from './migration.ts';

export const batches: Migration = {
  name: '0106-batches',
  statements: ({ id, time, money, bytes }) => [
    `create table batches (
      id ${id} primary key, account_id ${id} not null, token_id text not null, mode text not null, style text not null,
      endpoint text not null, input_file_id text, input_blob text not null, headers text not null,
      completion_window text not null, metadata text, output_seconds ${time}, state text not null,
      total integer not null, succeeded integer not null, errored integer not null, cancelled integer not null,
      expired integer not null, errors text, usage text, output_file_id text, error_file_id text,
      created_at ${time} not null, expires_at ${time} not null, in_progress_at ${time}, finalizing_at ${time},
      completed_at ${time}, failed_at ${time}, expired_at ${time}, cancelling_at ${time}, cancelled_at ${time},
      ended_at ${time}, deleted_at ${time}, archived_at ${time}, lease_owner text, lease_until ${time})`,
    `create index batches_by_account on batches (account_id, id)`,
    `create index batches_live on batches (id) where ended_at is null`,
    `create table batch_lines (
      batch_id ${id} not null, position integer not null, custom_id text not null, state text not null, outcome text,
      body_start ${time} not null, body_end ${time} not null, estimate ${money} not null, attempt integer not null,
      tries integer not null, answer integer, usage text, owner text, lease_until ${time}, due_at ${time} not null,
      primary key (batch_id, position))`,
    `create index batch_lines_waiting on batch_lines (batch_id, position) where state = 'waiting'`,
    `create index batch_lines_running on batch_lines (batch_id, position) where state = 'running'`,
    `create table batch_answers (
      batch_id ${id} not null, position integer not null, attempt integer not null, line ${bytes} not null,
      usage text, charge ${money} not null, primary key (batch_id, position, attempt))`,
  ],
};
