// Which request runs under a key: the process that takes the key over after a crash finds by it the task that was made already.
import type { Migration } from './migration.ts';

export const requestOfKey: Migration = {
  name: '0062-request-of-key',
  statements: ({ id }) => [`alter table idempotency add column request_id ${id}`],
};
