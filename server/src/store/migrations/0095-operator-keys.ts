// Keys for programs that use the operator API or read the metrics, each with a role and an end of its own.
import type { Migration } from './migration.ts';

export const operatorKeys: Migration = {
  name: '0095-operator-keys',
  statements: ({ id, time, byKey }) => [
    `create table operator_keys (
      id ${id} primary key, name text not null unique, role text not null, status text not null,
      key_hash text not null unique, key_hint text not null, expires_at ${time}, created_by text not null,
      created_at ${time} not null) ${byKey}`,
  ],
};
