// A process that listens is notified of an operator's change when it is committed, and need not poll all the time.
import type { Migration } from './migration.ts';

export const changeNotices: Migration = {
  name: '0041-change-notices',
  statements: ({ tellInserts }) => tellInserts('changes'),
};
