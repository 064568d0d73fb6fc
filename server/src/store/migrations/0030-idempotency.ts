// Keys that callers name a request by, with the answer that the first request of that name got.
import type { Migration } from './migration.ts';

export const idempotency: Migration = {
  name: '0030-idempotency',
  statements: ({ id, time, bytes, byKey }) => [
    `create table idempotency (
      scope ${id} not null, key ${id} not null, digest text not null, state text not null, attempt ${id} not null,
      owner text not null, status integer, head text, created_at ${time} not null, expires_at ${time} not null,
      primary key (scope, key)) ${byKey}`,
    `create index idempotency_by_time on idempotency (expires_at)`,
    `create table idempotency_pieces (
      attempt ${id} not null, position integer not null, bytes ${bytes} not null, primary key (attempt, position))`,
  ],
};
