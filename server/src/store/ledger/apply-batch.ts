// One batch of ledger operations inside an open transaction: lock the rows, decide, write. Said as steps that a driver
// takes, so that the same text serves an engine that answers at once and one that answers later.
import { decide, type Decision, type HoldRow, type LedgerWrites } from './decide.ts';
import { emptyState, type HoldEnd, type LedgerState } from './ledger-state.ts';
import type { AccountsTable, MembersTable, TokensTable } from '../tables.ts';
import { type LedgerOperation, type LedgerResult, ORPHANED } from './operations.ts';
import {
  CHANGED_TASK_COLUMNS,
  DELIVERY_COLUMNS,
  entryValues,
  EVENT_COLUMNS,
  holdValues,
  type LedgerStatements,
  requestValues,
  type SqlRow,
  type SqlValue,
  TASK_COLUMNS,
} from './statements.ts';

type AccountMoneyRow = Pick<
  AccountsTable,
  'id' | 'balance' | 'budget' | 'budget_period' | 'budget_start' | 'budget_used'
>;
type TokenMoneyRow = Pick<
  TokensTable,
  'id' | 'quota' | 'used' | 'held' | 'quota_period' | 'period_start' | 'period_used' | 'member_id'
>;
type CapRow = Pick<MembersTable, 'id' | 'cap_period' | 'cap_start' | 'cap_used'> & { cap: bigint };

export type Read = { kind: 'read'; sql: string; ids: readonly string[] };
export type Write = { kind: 'write'; sql: string; rows: readonly SqlValue[][] };
/** Statements of one step do not depend on each other's answers. The rows of each read are handed back, in order. */
export type Step = readonly Read[] | readonly Write[];

export interface BatchOptions {
  /** The batch may have been committed before: what it would make is looked for first. */
  repeated: boolean;
}

/** Reads, decides and writes. `state` comes to be what the batch leaves behind. */
export function* applyBatch(
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
  options: BatchOptions,
  state = emptyState(),
): Generator<Step, LedgerResult[], SqlRow[][]> {
  const { writes, results } = yield* decideBatch(statements, operations, options, state);
  yield writesOf(statements, writes);
  return results;
}

/**
 * Reads and decides. What `state` has already is not read again; it comes to be what the batch leaves behind, once that is
 * committed. What the batch writes is added to what is `due`.
 */
export function* decideBatch(
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
  { repeated }: BatchOptions,
  state: LedgerState,
  due?: LedgerWrites,
): Generator<readonly Read[], Decision, SqlRow[][]> {
  const accountIds = new Set<string>();
  const tokenIds = new Set<string>();
  const sought = new Set<string>(); // holds that are to end, or that may have been made before
  const taskIds: string[] = [];
  for (const operation of operations) {
    if (operation.kind === 'move') taskIds.push(operation.row.id);
    if (operation.kind === 'end' && operation.task !== undefined) taskIds.push(operation.task.row.id);
    if (operation.kind === 'end' || operation.kind === 'checkpoint') sought.add(operation.holdId);
    if (operation.kind !== 'hold') continue;
    if (repeated) sought.add(operation.hold.id);
    accountIds.add(operation.hold.account_id);
    tokenIds.add(operation.hold.token_id);
  }

  // Every batch locks holds, tasks, accounts, tokens, members in this order, each by id: two processes never wait for each other in a circle.
  if (sought.size > 0) {
    const unread = [...sought].filter((id) => !state.holds.has(id) && !state.ended.has(id));
    const [rows = []] = unread.length === 0 ? [] : yield [{ kind: 'read', sql: statements.holds, ids: unread }];
    for (const hold of rows as unknown as HoldRow[]) state.holds.set(hold.id, hold);
    const missing: string[] = [];
    for (const id of sought) {
      const hold = state.holds.get(id);
      if (hold === undefined) {
        if (!state.ended.has(id)) missing.push(id);
      } else {
        accountIds.add(hold.account_id);
        tokenIds.add(hold.token_id);
      }
    }
    if (missing.length > 0) {
      const [entries = []] = yield [{ kind: 'read', sql: statements.ends, ids: missing }];
      for (const entry of entries) noteEnd(state.ended, entry);
    }
  }
  if (taskIds.length > 0) {
    const [rows = []] = yield [{ kind: 'read', sql: statements.tasks, ids: taskIds }];
    for (const { id, version, completed_at } of rows as { id: string; version: number; completed_at: unknown }[])
      state.tasks.set(id, { version, isFinished: completed_at !== null });
  }
  for (const id of accountIds) if (state.balances.has(id)) accountIds.delete(id);
  for (const id of tokenIds) if (state.tokens.has(id)) tokenIds.delete(id);
  if (accountIds.size > 0 || tokenIds.size > 0) {
    const [balances = [], tokens = []] = yield [
      { kind: 'read', sql: statements.balances, ids: [...accountIds] },
      { kind: 'read', sql: statements.tokens, ids: [...tokenIds] },
    ];
    for (const row of balances as unknown as AccountMoneyRow[]) {
      state.balances.set(row.id, row.balance);
      if (row.budget === null) continue;
      const [limit, period, start, used] = [row.budget, row.budget_period, row.budget_start, row.budget_used];
      state.budgets.set(row.id, { limit, period, start, used });
    }
    const memberIds = new Set<string>();
    for (const { id, quota, used, held, ...row } of tokens as unknown as TokenMoneyRow[]) {
      const period = row.quota_period;
      const memberId = row.member_id ?? undefined;
      if (memberId !== undefined && !state.caps.has(memberId)) memberIds.add(memberId);
      if (quota === null || period === null) state.tokens.set(id, { quota, memberId, used, held });
      else {
        const allowance = { limit: quota, period, start: row.period_start, used: row.period_used };
        state.tokens.set(id, { quota: null, allowance, memberId, used, held });
      }
    }
    if (memberIds.size > 0) {
      const [caps = []] = yield [{ kind: 'read', sql: statements.caps, ids: [...memberIds] }];
      for (const { id, cap, cap_period, cap_start, cap_used } of caps as unknown as CapRow[])
        state.caps.set(id, { limit: cap, period: cap_period, start: cap_start, used: cap_used });
    }
  }

  return decide(state, operations, { writes: due, repeated });
}

/** A settled hold may also have released its rest; what was charged decides. */
function noteEnd(ended: Map<string, HoldEnd>, { hold_id, kind, note }: SqlRow): void {
  const id = hold_id as string;
  if (kind === 'settle' && note !== ORPHANED) ended.set(id, 'settled');
  else if (!ended.has(id)) ended.set(id, 'released');
}

/** Of a map its entries. */
type Many<T> = Iterable<T> & { size: number };

/** Most batches need a few of the statements, and many batches are of one operation: nothing is made for the others. */
export function writesOf(statements: LedgerStatements, writes: LedgerWrites): Write[] {
  const steps: Write[] = [];
  const add = <T>(sql: string, items: readonly T[] | Many<T>, valuesOf: (item: T) => SqlValue[]): void => {
    const count = 'size' in items ? items.size : items.length;
    if (count > 0) steps.push({ kind: 'write', sql, rows: Array.from(items, valuesOf) });
  };

  add(statements.setBalances, writes.balances, (balance) => balance);
  add(statements.setTokens, writes.tokens, ([id, { used, held }]) => [id, used, held]);
  add(statements.setBudgets, writes.budgets, ([id, { start, used }]) => [id, start, used]);
  add(statements.setCaps, writes.caps, ([id, { start, used }]) => [id, start, used]);
  add(statements.setAllowances, allowanceRows(writes), (row) => row);
  add(statements.addHolds, writes.newHolds, ([, hold]) => holdValues(hold));
  add(statements.setCheckpoints, writes.checkpoints, (checkpoint) => checkpoint);
  add(statements.endHolds, writes.endedHolds, (id) => [id]);
  add(statements.addEntries, writes.entries, entryValues);
  add(statements.addRequests, writes.requests, requestValues);
  add(statements.chargeRequests, writes.chargedRequests, requestValues);
  add(statements.addTasks, writes.newTasks, (task) => TASK_COLUMNS.map(([name]) => task[name]));
  add(statements.changeTasks, writes.changedTasks, ([, task]) => CHANGED_TASK_COLUMNS.map(([name]) => task[name]));
  add(statements.addEvents, writes.taskEvents, (event) => EVENT_COLUMNS.map(([name]) => event[name]));
  add(statements.addDeliveries, writes.deliveries, (row) => DELIVERY_COLUMNS.map(([name]) => row[name]));
  return steps;
}

function allowanceRows({ tokens }: LedgerWrites): SqlValue[][] {
  const rows: SqlValue[][] = [];
  for (const [id, { allowance }] of tokens)
    if (allowance !== undefined) rows.push([id, allowance.start, allowance.used]);
  return rows;
}
