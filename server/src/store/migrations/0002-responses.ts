// Responses that upstreams keep, and where: what goes on from one must reach the channel and key that made it.
import type { Migration } from './migration.ts';

export const responses: Migration = {
  name: '0002-responses',
  statements: ({ id, time, byKey }) => [
    `create table responses (
      account_id ${id} not null, id ${id} not null, channel_id text not null, key_id text not null,
      created_at ${time} not null, primary key (account_id, id)) ${byKey}`,
    `create index responses_by_time on responses (created_at)`,
  ],
};
