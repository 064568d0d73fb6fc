// Failed sign-ins and guessed operator keys by name and address, shared by all processes and kept over a restart; and the
// addresses from which a name has signed in before.
import type { Migration } from './migration.ts';

export const signInCounts: Migration = {
  name: '0094-sign-in-counts',
  statements: ({ id, time, byKey }) => [
    `create table sign_in_counts (
      subject ${id} primary key, failures integer not null, ends_at ${time} not null) ${byKey}`,
    `create index sign_in_counts_by_end on sign_in_counts (ends_at)`,
  ],
};
