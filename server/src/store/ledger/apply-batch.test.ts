import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOperation, holdOperation } from '../../testing/fixtures.ts';
import { taskEnd, taskRow } from '../../testing/task-rows.ts';
import { applyBatch, decideBatch, type Step } from './apply-batch.ts';
import { emptyState } from './ledger-state.ts';
import { ledgerStatements, type LedgerStatements, type SqlRow } from './statements.ts';
import { type LedgerOperation, type LedgerResult, ORPHANED } from './operations.ts';

/** Every statement is its own name. */
const fragments = { texts: '', lock: '', requestNumber: [], insert: () => '', update: () => '', remove: () => '' };
const statements = Object.fromEntries(
  Object.keys(ledgerStatements(fragments)).map((name) => [name, name]),
) as unknown as LedgerStatements;

const account = { balance: 100n, budget: null, budget_period: null, budget_start: 0, budget_used: 0n };
const token = { quota: null, used: 0n, held: 0n, quota_period: null, period_start: 0, period_used: 0n };
const hold = (id: string, amount = 10n, owner = '1') =>
  holdOperation({ id, account_id: `acc${owner}`, token_id: `tok${owner}`, amount });

type Tables = Record<string, SqlRow[]>;
const TABLES: Tables = {
  balances: ['acc1', 'acc2'].map((id) => ({ id, ...account })),
  tokens: ['tok1', 'tok2'].map((id) => ({ id, ...token })),
};

/** Takes the steps as a database would; `steps` has each statement with the ids or the number of rows. */
function run(
  batch: Generator<Step, LedgerResult[], SqlRow[][]>,
  tables: Tables,
): { results: LedgerResult[]; steps: string[][] } {
  const steps: string[][] = [];
  let next = batch.next();
  while (next.done !== true) {
    steps.push(next.value.map((one) => `${one.sql} ${one.kind === 'read' ? one.ids.join('+') : one.rows.length}`));
    const rows = next.value.map((one) =>
      one.kind === 'write'
        ? []
        : (tables[one.sql] ?? []).filter((row) => one.ids.includes(String(row['id'] ?? row['hold_id']))),
    );
    next = batch.next(rows);
  }
  return { results: next.value, steps };
}

const apply = (operations: LedgerOperation[], tables: Tables = TABLES, repeated = false) =>
  run(applyBatch(statements, operations, { repeated }), tables);

test('rows are locked in one order, holds, tasks, then accounts and tokens, so that two processes never deadlock', () => {
  const { hold: open } = hold('h1');
  const row = taskRow({ id: 'h2', account_id: 'acc2', token_id: 'tok2' });
  const tables = {
    ...TABLES,
    holds: [{ ...open }, { ...hold('h2', 10n, '2').hold, task_id: 'h2' }],
    tasks: [{ id: 'h2', version: 1, completed_at: null }],
  };
  const { steps, results } = apply([hold('h3'), endOperation('h1', 4n), taskEnd(row, 5n)], tables);
  assert.deepEqual(steps.slice(0, 3), [['holds h1+h2'], ['tasks h2'], ['balances acc1+acc2', 'tokens tok1+tok2']]);
  assert.deepEqual(results, ['held', 'settled', 'settled']);
});

test('a batch is one read of money and one write of what it changes, and nothing else (promise M-01)', () => {
  const { steps, results } = apply([hold('h1', 30n), hold('h2', 30n)]);
  assert.deepEqual(results, ['held', 'held']);
  assert.deepEqual(steps, [
    ['balances acc1', 'tokens tok1'],
    ['setBalances 1', 'setTokens 1', 'addHolds 2', 'addEntries 2'],
  ]);
});

test('operations of one batch see each other: the last hold finds too little left (promise M-02)', () => {
  const { results, steps } = apply([hold('h1', 60n), hold('h2', 60n), hold('h3', 40n)]);
  assert.deepEqual(results, ['held', 'balance_too_low', 'held']);
  assert.deepEqual(steps.at(-1), ['setBalances 1', 'setTokens 1', 'addHolds 2', 'addEntries 2']);
});

test('a batch that may have been committed looks for its holds first and makes none twice (promise M-04)', () => {
  const made = hold('h1', 30n);
  const { results, steps } = apply([made], { ...TABLES, holds: [{ ...made.hold }] }, true);
  assert.deepEqual(results, ['held']);
  assert.deepEqual(steps, [['holds h1'], ['balances acc1', 'tokens tok1'], []]);
});

test('the end of a hold that has ended says how, and writes nothing again (promise M-03)', () => {
  const ended = (...entries: [kind: string, note: string | null][]): LedgerResult => {
    const ends = entries.map(([kind, note]) => ({ hold_id: 'h1', kind, note }));
    const { results, steps } = apply([endOperation('h1', 4n)], { ...TABLES, ends });
    assert.deepEqual(steps, [['holds h1'], ['ends h1'], []]);
    return results[0] ?? assert.fail('no result');
  };
  assert.equal(ended(['settle', null], ['release', null]), 'settled', 'its rest was released');
  assert.equal(ended(['release', null]), 'released');
  assert.equal(ended(['settle', ORPHANED]), 'released', 'charged by its checkpoint, not by its own call');
  assert.equal(ended(), 'unknown');
});

test('an end whose task has moved on writes neither money nor state (promise V-03)', () => {
  const row = taskRow({ id: 'h1', account_id: 'acc1', token_id: 'tok1' });
  const holds = [{ ...hold('h1').hold, task_id: 'h1' }];
  for (const task of [
    { id: 'h1', version: 2, completed_at: null },
    { id: 'h1', version: 1, completed_at: 5 },
  ]) {
    const { results, steps } = apply([taskEnd(row, 5n)], { ...TABLES, holds, tasks: [task] });
    assert.deepEqual([results, steps.at(-1)], [['stale'], []]);
  }
});

test('what a former batch has read is not read again', () => {
  const state = emptyState();
  const decide = (operations: LedgerOperation[]): string[] => {
    const steps: string[] = [];
    const batch = decideBatch(statements, operations, { repeated: false }, state);
    let next = batch.next();
    while (next.done !== true) {
      steps.push(...next.value.map(({ sql }) => sql));
      next = batch.next(
        next.value.map(({ sql, ids }) => (TABLES[sql] ?? []).filter(({ id }) => ids.includes(String(id)))),
      );
    }
    return steps;
  };
  assert.deepEqual(decide([hold('h1')]), ['balances', 'tokens']);
  assert.deepEqual(decide([hold('h2'), endOperation('h1', 1n)]), []);
  assert.deepEqual(decide([hold('h3', 10n, '2')]), ['balances', 'tokens']);
});
