// Files of accounts: one row each. Their bytes lie in the data folder or in a bucket, under the file's id.
import type { Migration } from './migration.ts';

export const files: Migration = {
  name: '0105-files',
  statements: ({ id, time }) => [
    `create table files (
      id ${id} primary key, account_id ${id} not null, token_id text not null, purpose text not null,
      filename text not null, content_type text not null, bytes bigint not null,
      created_at ${time} not null, expires_at ${time})`,
    `create index files_by_account on files (account_id, id)`,
    `create index files_by_end on files (expires_at) where expires_at is not null`,
  ],
};
