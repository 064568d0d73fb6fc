// Whoever listens hears of a change by an operator when it is committed, and need not ask for it all the time.
import type { Migration } from './migration.ts';

export const changeNotices: Migration = {
  name: '0041-change-notices',
  statements: ({ tellInserts }) => tellInserts('changes'),
};
