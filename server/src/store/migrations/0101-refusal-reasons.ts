// Why the gateway itself refused a request, in the words its caller read (contract-2 7).
import type { Migration } from './migration.ts';

export const refusalReasons: Migration = {
  name: '0101-refusal-reasons',
  statements: () => [`alter table requests add column reason text`],
};
