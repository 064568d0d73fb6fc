// What was asked and answered, sealed, for tokens whose operator wants that kept for a while.
import type { Migration } from './migration.ts';

export const requestBodies: Migration = {
  name: '0061-request-bodies',
  statements: ({ id, bytes, time, byKey }) => [
    `create table request_bodies (id ${id} primary key, sealed ${bytes} not null, created_at ${time} not null) ${byKey}`,
  ],
};
