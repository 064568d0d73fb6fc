// The rules of money, pure: given the rows as they are, what a batch of operations does to them. Operations act in
// order, each seeing the effect of those before it, so that parallel calls can never spend the same unit twice.
import type { LedgerTable, TaskEventsTable } from '../tables.ts';
import { amountToHold } from './amount-to-hold.ts';
import { type Allowance, countedFrom, finish, take } from './allowance.ts';
import {
  type DeliveryRow,
  type EndOperation,
  type EndResult,
  type HoldOperation,
  type HoldResult,
  type HoldRow,
  type LedgerOperation,
  type LedgerResult,
  type MoveOperation,
  type MoveResult,
  ORPHANED,
  type RequestRow,
  type TaskRow,
} from './operations.ts';
import type { LedgerState, TokenMoney } from './ledger-state.ts';

export type { HoldRow } from './operations.ts';
export type NewLedgerEntry = Omit<LedgerTable, 'id'>;
export type NewTaskEvent = Omit<TaskEventsTable, 'id'>;

/** Far above any real sum and far below what 64 bits hold, so that no sum of a few such amounts can overflow. */
const LARGEST_AMOUNT = 2n ** 62n;

export interface Decision {
  writes: LedgerWrites;
  results: LedgerResult[];
}

/** Nothing to write yet. */
export function emptyWrites() {
  return {
    balances: new Map<string, bigint>(),
    budgets: new Map<string, Allowance>(),
    caps: new Map<string, Allowance>(),
    tokens: new Map<string, TokenMoney>(),
    newHolds: new Map<string, HoldRow>(),
    checkpoints: new Map<string, string>(),
    endedHolds: new Set<string>(),
    entries: [] as NewLedgerEntry[],
    requests: [] as RequestRow[],
    /** Lines whose request was answered before its charge was known. */
    chargedRequests: [] as RequestRow[],
    newTasks: [] as TaskRow[],
    changedTasks: new Map<string, TaskRow>(),
    taskEvents: [] as NewTaskEvent[],
    deliveries: [] as DeliveryRow[],
  };
}

export type LedgerWrites = ReturnType<typeof emptyWrites>;

/**
 * Changes `state` as it goes; the returned writes are what the store must make durable, those that were due already among
 * them. `repeated`: an operation here may have been committed before, and only its answer was lost.
 */
export function decide(
  state: LedgerState,
  operations: readonly LedgerOperation[],
  { writes = emptyWrites(), repeated = false }: { writes?: LedgerWrites | undefined; repeated?: boolean } = {},
): Decision {
  const results = operations.map((operation): LedgerResult => {
    switch (operation.kind) {
      case 'hold':
        return decideHold(state, writes, operation);
      case 'end':
        return decideEnd(state, writes, operation, repeated);
      case 'checkpoint':
        if (state.holds.has(operation.holdId)) writes.checkpoints.set(operation.holdId, operation.checkpoint);
        return 'noted';
      case 'move':
        return decideMove(state, writes, operation);
      case 'log':
        writes.requests.push(operation.request);
        return 'logged';
    }
  });
  return { writes, results };
}

function decideHold(state: LedgerState, writes: LedgerWrites, operation: HoldOperation): HoldResult {
  const { task } = operation;
  let { hold } = operation;
  if (state.holds.has(hold.id) || state.ended.has(hold.id)) return 'held'; // the same hold again, after an unknown outcome
  const balance = state.balances.get(hold.account_id);
  const token = state.tokens.get(hold.token_id);
  if (balance === undefined) return 'balance_too_low';
  if (token === undefined) return 'quota_too_low';
  const amount = amountToHold(state, operation, { balance, token });
  if (amount !== hold.amount) hold = { ...hold, amount };
  if (hold.amount > LARGEST_AMOUNT || token.used + token.held + hold.amount > LARGEST_AMOUNT) return 'quota_too_low';
  if (token.quota !== null && token.used + token.held + hold.amount > token.quota) return 'quota_too_low';
  // Test tokens never touch the balance: their entries are marked and leave it as it is.
  const taken = hold.mode === 'test' ? 0n : hold.amount;
  if (taken > 0n && taken > balance) return 'balance_too_low';
  const budget = hold.mode === 'test' ? undefined : state.budgets.get(hold.account_id);
  const cap = hold.mode === 'test' ? undefined : capOf(state, token);
  const at = countedFrom(hold.created_at, token.allowance, budget, cap);
  if (at !== hold.created_at) hold = { ...hold, created_at: at };
  const allowance = token.allowance === undefined ? undefined : take(token.allowance, hold.amount, at);
  if (allowance === undefined && token.allowance !== undefined) return 'quota_too_low';
  const spent = budget === undefined ? undefined : take(budget, hold.amount, at);
  if (spent === undefined && budget !== undefined) return 'budget_too_low';
  const capped = cap === undefined ? undefined : take(cap, hold.amount, at);
  if (capped === undefined && cap !== undefined) return 'cap_too_low';

  moveBalance(state, writes, hold.account_id, balance - taken);
  if (spent !== undefined) moveBudget(state, writes, hold.account_id, spent);
  if (capped !== undefined) moveCap(state, writes, token, capped);
  moveToken(state, writes, hold.token_id, { ...token, allowance, held: token.held + hold.amount });
  state.holds.set(hold.id, hold);
  writes.newHolds.set(hold.id, hold);
  writes.entries.push(
    entryOf(hold, { kind: 'hold', amount: hold.amount, balanceAfter: balance - taken, at: hold.created_at }),
  );
  if (task !== undefined) {
    state.tasks.set(task.id, { version: task.version, isFinished: false });
    writes.newTasks.push(task);
    writes.taskEvents.push(eventOf(task));
  }
  return 'held';
}

function decideMove(state: LedgerState, writes: LedgerWrites, { row, isEvent, request }: MoveOperation): MoveResult {
  if (!mayChange(state, row)) return 'stale';
  changeTask(state, writes, row);
  if (isEvent) writes.taskEvents.push(eventOf(row));
  if (request !== null) writes.requests.push(request);
  return 'moved';
}

/** Only from the version that was read, and never once it is finished. */
function mayChange({ tasks }: LedgerState, row: TaskRow): boolean {
  const guard = tasks.get(row.id);
  return guard !== undefined && !guard.isFinished && guard.version === row.version - 1;
}

function changeTask(state: LedgerState, writes: LedgerWrites, row: TaskRow): void {
  state.tasks.set(row.id, { version: row.version, isFinished: row.completed_at !== null });
  writes.changedTasks.set(row.id, row);
}

function eventOf({ id, state, updated_at }: TaskRow): NewTaskEvent {
  return { task_id: id, status: state === 'CREATED' ? 'SUBMITTED' : state, at: updated_at };
}

function decideEnd(state: LedgerState, writes: LedgerWrites, operation: EndOperation, repeated: boolean): EndResult {
  const hold = state.holds.get(operation.holdId);
  if (hold === undefined) {
    // Too late to move money. What happened to the request is still worth its line, if it claims no charge.
    if (operation.charge === null && operation.request !== null) writes.requests.push(operation.request);
    const end = state.ended.get(operation.holdId) ?? 'unknown';
    // An end is counted and acted upon once, by the process that made it.
    return operation.task === undefined || repeated || end === 'unknown' ? end : 'stale';
  }
  const balance = state.balances.get(hold.account_id);
  const token = state.tokens.get(hold.token_id);
  if (balance === undefined || token === undefined) return 'unknown';
  const { task } = operation;
  if (task !== undefined && !mayChange(state, task.row)) return 'stale';

  const { charge, at, usageSource, note } = operation;
  const charged = smaller(charge ?? 0n, LARGEST_AMOUNT - token.used);
  const live = hold.mode === 'live';
  const rest = hold.amount - charged; // negative when the answer exceeded its estimate: the excess comes off too
  const balanceAfter = live ? balance + rest : balance;
  const status = charge === null ? 'released' : 'settled';

  if (charge !== null) {
    const settledBalance = live && rest < 0n ? balanceAfter : balance;
    writes.entries.push(
      entryOf(hold, { kind: 'settle', amount: charged, balanceAfter: settledBalance, at, usageSource, note }),
    );
  }
  if (rest > 0n || charge === null) {
    writes.entries.push(entryOf(hold, { kind: 'release', amount: rest, balanceAfter, at, note }));
  }
  moveBalance(state, writes, hold.account_id, balanceAfter);
  const end = { charged, at };
  const allowance = token.allowance === undefined ? undefined : finish(token.allowance, hold, end);
  const money = { ...token, allowance, held: token.held - hold.amount, used: token.used + charged };
  moveToken(state, writes, hold.token_id, money);
  const budget = live ? state.budgets.get(hold.account_id) : undefined;
  if (budget !== undefined) moveBudget(state, writes, hold.account_id, finish(budget, hold, end));
  const cap = live ? capOf(state, token) : undefined;
  if (cap !== undefined) moveCap(state, writes, token, finish(cap, hold, end));
  state.holds.delete(hold.id);
  // A settle after the sweeper has no effect: its answer was charged by a checkpoint only.
  state.ended.set(hold.id, note === ORPHANED ? 'released' : status);
  if (!writes.newHolds.delete(hold.id)) writes.endedHolds.add(hold.id); // one made in this batch was never written
  // What was not booked is claimed nowhere.
  if (operation.request !== null)
    (task === undefined ? writes.requests : writes.chargedRequests).push({ ...operation.request, charge: charged });
  if (task !== undefined) {
    changeTask(state, writes, { ...task.row, charge: charged });
    writes.taskEvents.push(eventOf(task.row));
    if (task.delivery !== null) writes.deliveries.push(task.delivery);
  }
  return status;
}

function moveBalance(state: LedgerState, writes: LedgerWrites, accountId: string, balance: bigint): void {
  state.balances.set(accountId, balance);
  writes.balances.set(accountId, balance);
}

function moveBudget(state: LedgerState, writes: LedgerWrites, accountId: string, budget: Allowance): void {
  state.budgets.set(accountId, budget);
  writes.budgets.set(accountId, budget);
}

function capOf({ caps }: LedgerState, { memberId }: TokenMoney): Allowance | undefined {
  return memberId === undefined ? undefined : caps.get(memberId);
}

function moveCap(state: LedgerState, writes: LedgerWrites, { memberId = '' }: TokenMoney, cap: Allowance): void {
  state.caps.set(memberId, cap);
  writes.caps.set(memberId, cap);
}

function moveToken(state: LedgerState, writes: LedgerWrites, tokenId: string, token: TokenMoney): void {
  state.tokens.set(tokenId, token);
  writes.tokens.set(tokenId, token);
}

interface EntryFacts {
  kind: NewLedgerEntry['kind'];
  amount: bigint;
  balanceAfter: bigint;
  at: number;
  usageSource?: NewLedgerEntry['usage_source'];
  note?: string | null;
}

function entryOf(hold: HoldRow, facts: EntryFacts): NewLedgerEntry {
  return {
    kind: facts.kind,
    account_id: hold.account_id,
    token_id: hold.token_id,
    hold_id: hold.id,
    request_id: hold.request_id,
    task_id: hold.task_id,
    amount: facts.amount,
    balance_after: facts.balanceAfter,
    mode: hold.mode,
    usage_source: facts.usageSource ?? null,
    note: facts.note ?? null,
    author: null,
    created_at: facts.at,
  };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
