import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Column,
  ENTRY_COLUMNS,
  entryValues,
  HOLD_COLUMNS,
  holdValues,
  REQUEST_COLUMNS,
  requestValues,
  type SqlValue,
} from './statements.ts';

const kinds: [name: string, columns: readonly Column[], values: (row: never) => SqlValue[]][] = [
  ['holds', HOLD_COLUMNS, holdValues],
  ['lines of the ledger', ENTRY_COLUMNS, entryValues],
  ['requests', REQUEST_COLUMNS, requestValues],
];

for (const [name, columns, values] of kinds) {
  test(`the values of ${name} come in the order of their columns`, () => {
    const row = Object.fromEntries(columns.map(([column]) => [column, `the ${column}`]));
    assert.deepEqual(
      values(row as never),
      columns.map(([column]) => `the ${column}`),
    );
  });
}
