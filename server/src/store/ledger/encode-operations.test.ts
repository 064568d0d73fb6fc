// A value that changed its place on the way to the database's thread would be money in the wrong column.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeOperations, encodeOperations } from './encode-operations.ts';
import type { HoldRow, LedgerOperation, RequestRow, TaskRow } from './operations.ts';
import { HOLD_COLUMNS, REQUEST_COLUMNS, TASK_COLUMNS, type Column } from './statements.ts';

/** A row in which no two columns are alike. */
function rowOf(columns: readonly Column[]): unknown {
  const value = (type: Column[1], at: number) =>
    type === 'money' ? 2n ** 60n + BigInt(at) : type === 'text' ? `"t${at}\n` : at;
  return Object.fromEntries(columns.map(([name, type], at) => [name, value(type, at)]));
}

const hold = rowOf(HOLD_COLUMNS) as HoldRow;
const request = rowOf(REQUEST_COLUMNS) as RequestRow;
const task = rowOf(TASK_COLUMNS) as TaskRow;
const end = { kind: 'end', holdId: 'h', charge: 5n, usageSource: 'upstream', at: 7, note: 'why', request } as const;

const operations: Record<string, LedgerOperation> = {
  'a hold': { kind: 'hold', hold },
  'a hold that may grow': { kind: 'hold', hold, most: 2n ** 61n },
  'a hold of a task': { kind: 'hold', hold, task },
  'a settle': end,
  'a release without a line': { ...end, charge: null, usageSource: null, note: null, request: null },
  'the end of a task': { ...end, task: { row: task, delivery: null } },
  'a move': { kind: 'move', row: { ...task, charge: null }, isEvent: true, request: null },
  'a move with a line': { kind: 'move', row: task, isEvent: false, request },
  'a line': { kind: 'log', request: { ...request, model: null, usage: null, charge: 0n } },
  'a checkpoint': { kind: 'checkpoint', holdId: 'h', checkpoint: '{"output":3}' },
};

for (const [name, operation] of Object.entries(operations)) {
  test(`${name} arrives as it left`, () => {
    assert.deepEqual(decodeOperations(encodeOperations([operation, operation])), [operation, operation]);
  });
}
