// Keys that an upstream refuses, with the reason: all processes do without them, also after a restart.
import type { Migration } from './migration.ts';

export const channelKeyStates: Migration = {
  name: '0080-channel-key-states',
  statements: ({ id, time, byKey }) => [
    `create table channel_key_states (
      channel_id ${id} not null, key_id ${id} not null, version integer not null, out_since ${time}, out_until ${time},
      reason text, probe_at ${time}, probe_ok integer, probe_message text, primary key (channel_id, key_id)) ${byKey}`,
  ],
};
