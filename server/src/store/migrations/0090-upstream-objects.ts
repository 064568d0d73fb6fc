// What upstreams keep under our keys, and which account made it: an id that another account made is refused.
import type { Migration } from './migration.ts';

export const upstreamObjects: Migration = {
  name: '0090-upstream-objects',
  statements: ({ id, time, byKey }) => [
    `create table upstream_objects (
      account_id ${id} not null, id_hash text not null, kind text not null, channel_id text not null,
      key_id text not null, created_at ${time} not null, expires_at ${time} not null,
      primary key (account_id, id_hash)) ${byKey}`,
    `create index upstream_objects_by_end on upstream_objects (expires_at)`,
  ],
};
