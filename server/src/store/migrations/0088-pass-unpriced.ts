// Whether a model passes on what raises its cost and has no price: 1 passes it, 0 drops it, null is the default.
import type { Migration } from './migration.ts';

export const passUnpriced: Migration = {
  name: '0088-pass-unpriced',
  statements: () => [`alter table models add column pass_unpriced integer`],
};
