// Numbers every new and every changed line of the request log, in the order in which they are written, so that an export
// finds what it has not seen yet (contract-2 12). Lines of before have the number 0 and are found by their ids.
import type { Migration } from './migration.ts';

export const requestChanges: Migration = {
  name: '0128-request-changes',
  statements: ({ money, numberChanges }) => [
    `alter table requests add column change ${money} not null default 0`,
    'create index requests_by_change on requests (change) where change > 0',
    'create index requests_without_change on requests (id) where change = 0',
    ...numberChanges({ table: 'requests', column: 'change' }),
  ],
};
