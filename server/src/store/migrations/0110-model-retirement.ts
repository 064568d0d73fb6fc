// When a vendor retires a model: operators are warned before.
import type { Migration } from './migration.ts';

export const modelRetirement: Migration = {
  name: '0110-model-retirement',
  statements: ({ time }) => [`alter table models add column retires_at ${time}`],
};
