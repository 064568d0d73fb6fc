// How channels fared: their last error and last test, and their calls of the last day by hour and by how long they took.
import type { Migration } from './migration.ts';

export const channelMemory: Migration = {
  name: '0081-channel-memory',
  statements: ({ id, time, byKey }) => [
    `create table channel_memory (
      channel_id ${id} primary key, success_at ${time}, error_at ${time}, error_class text, error_status integer,
      error_message text, test_at ${time}, test_ok integer, test_status integer, test_ms integer, test_model text,
      test_message text) ${byKey}`,
    `create table channel_calls (
      channel_id ${id} not null, hour ${time} not null, bucket integer not null, calls ${time} not null,
      primary key (channel_id, hour, bucket)) ${byKey}`,
    `create index channel_calls_by_hour on channel_calls (hour)`,
  ],
};
