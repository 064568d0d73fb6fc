// What long streams have come to so far, with their holds.
import type { Migration } from './migration.ts';

export const checkpoints: Migration = {
  name: '0033-checkpoints',
  statements: () => [`alter table holds add column checkpoint text`],
};
