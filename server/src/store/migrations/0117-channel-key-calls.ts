// How single keys of channels fared in the last day: their calls by hour and by how long they took, what was charged for
// them, and the last error of each. The sums of whole channels stay where they are (0081).
import type { Migration } from './migration.ts';

export const channelKeyCalls: Migration = {
  name: '0117-channel-key-calls',
  statements: ({ id, time, money, byKey }) => [
    `create table channel_key_calls (
      channel_id ${id} not null, key_id ${id} not null, hour ${time} not null, bucket integer not null,
      calls ${time} not null, amount ${money} not null, primary key (channel_id, key_id, hour, bucket)) ${byKey}`,
    `create index channel_key_calls_by_hour on channel_key_calls (hour)`,
    `create table channel_key_errors (
      channel_id ${id} not null, key_id ${id} not null, error_at ${time} not null, error_class text not null,
      error_status integer, error_message text not null, primary key (channel_id, key_id)) ${byKey}`,
  ],
};
