// Calls that go on at their upstream after they were answered: their holds stay open until somebody learns what they used.
import type { Migration } from './migration.ts';

export const backgroundCalls: Migration = {
  name: '0003-background-calls',
  statements: ({ id, time, byKey }) => [
    `create table background_calls (
      hold_id ${id} primary key, account_id ${id} not null, upstream_id ${id} not null, channel_id text not null,
      key_id text not null, detail text not null, ask_at ${time} not null, deadline ${time} not null,
      created_at ${time} not null) ${byKey}`,
    `create index background_calls_by_upstream_id on background_calls (account_id, upstream_id)`,
    `create index background_calls_by_time on background_calls (ask_at)`,
  ],
};
