// Video tasks: what a provider must be asked with, where its id of the task is not enough (contract-2 9).
import type { Migration } from './migration.ts';

export const taskHandles: Migration = {
  name: '0100-task-handles',
  statements: () => [`alter table tasks add column handle text`],
};
