// Runs one batch of ledger operations on an open transaction: lock the rows, decide, write. A fixed handful of statements
// whatever the size of the batch; rows travel as one JSON parameter, which each dialect unfolds in its own words.
import { decide, type HoldRow, type LedgerState, type LedgerWrites } from './decide.ts';
import type { LedgerOperation, LedgerResult } from './operations.ts';

export type SqlRow = Record<string, unknown>;
export type Column = readonly [name: string, type: 'text' | 'money' | 'time' | 'integer'];

/** How a dialect says what differs. Reads take one JSON list of ids; writes take rows of values in the order of the columns. */
export interface LedgerWords {
  /** Subquery of the texts in the JSON list that is the only parameter. */
  texts: string;
  /** Row lock appended to the reads; empty where the transaction already excludes other writers. */
  lock: string;
  insert(table: string, columns: readonly Column[]): string;
  /** Sets all columns but the first, which names the row. */
  update(table: string, columns: readonly Column[]): string;
}

export type SqlValue = string | number | bigint | null;

export interface LedgerConnection {
  read(sql: string, ids: readonly string[]): Promise<SqlRow[]> | SqlRow[];
  /** May be called before earlier writes are done. */
  write(sql: string, rows: readonly SqlValue[][]): Promise<unknown> | void;
}

export interface LedgerStatements {
  balances: string;
  tokens: string;
  holds: string;
  setBalances: string;
  setTokens: string;
  addHolds: string;
  endHolds: string;
  addEntries: string;
  addRequests: string;
}

const HOLD_COLUMNS = [
  ['id', 'text'],
  ['request_id', 'text'],
  ['task_id', 'text'],
  ['account_id', 'text'],
  ['token_id', 'text'],
  ['amount', 'money'],
  ['mode', 'text'],
  ['price', 'text'],
  ['status', 'text'],
  ['owner', 'text'],
  ['expires_at', 'time'],
  ['created_at', 'time'],
] as const satisfies Column[];

const ENTRY_COLUMNS = [
  ['kind', 'text'],
  ['account_id', 'text'],
  ['token_id', 'text'],
  ['hold_id', 'text'],
  ['request_id', 'text'],
  ['task_id', 'text'],
  ['amount', 'money'],
  ['balance_after', 'money'],
  ['mode', 'text'],
  ['usage_source', 'text'],
  ['note', 'text'],
  ['author', 'text'],
  ['created_at', 'time'],
] as const satisfies Column[];

const REQUEST_COLUMNS = [
  ['id', 'text'],
  ['account_id', 'text'],
  ['token_id', 'text'],
  ['group_name', 'text'],
  ['endpoint', 'text'],
  ['model', 'text'],
  ['channel_id', 'text'],
  ['status', 'integer'],
  ['error_code', 'text'],
  ['attempts', 'text'],
  ['first_byte_ms', 'integer'],
  ['total_ms', 'integer'],
  ['usage', 'text'],
  ['usage_source', 'text'],
  ['charge', 'money'],
  ['arithmetic', 'text'],
  ['mode', 'text'],
  ['created_at', 'time'],
] as const satisfies Column[];

const TOKEN_COLUMNS = [
  ['id', 'text'],
  ['used', 'money'],
  ['held', 'money'],
] as const satisfies Column[];

const BALANCE_COLUMNS = [
  ['id', 'text'],
  ['balance', 'money'],
] as const satisfies Column[];

const STATUS_COLUMNS = [
  ['id', 'text'],
  ['status', 'text'],
] as const satisfies Column[];

const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** The statements of a dialect, made once. Rows are locked in the order of their ids, so that two processes never wait for each other in a circle. */
export function ledgerStatements({ texts, lock, insert, update }: LedgerWords): LedgerStatements {
  return {
    balances: `select id, balance from accounts where id in (${texts}) order by id ${lock}`,
    tokens: `select id, quota, used, held from tokens where id in (${texts}) order by id ${lock}`,
    holds: `select ${names(HOLD_COLUMNS)} from holds where id in (${texts}) order by id ${lock}`,
    setBalances: update('accounts', BALANCE_COLUMNS),
    setTokens: update('tokens', TOKEN_COLUMNS),
    addHolds: insert('holds', HOLD_COLUMNS),
    endHolds: update('holds', STATUS_COLUMNS),
    addEntries: insert('ledger', ENTRY_COLUMNS),
    addRequests: `${insert('requests', REQUEST_COLUMNS)} on conflict (id) do nothing`,
  };
}

export async function applyBatch(
  connection: LedgerConnection,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
): Promise<LedgerResult[]> {
  const state = await loadState(connection, statements, operations);
  const { writes, results } = decide(state, operations);
  await Promise.all(write(connection, statements, writes));
  return results;
}

async function loadState(
  connection: LedgerConnection,
  statements: LedgerStatements,
  operations: readonly LedgerOperation[],
): Promise<LedgerState> {
  const state: LedgerState = { balances: new Map(), tokens: new Map(), holds: new Map() };
  const holdIds: string[] = [];
  const accountIds = new Set<string>();
  const tokenIds = new Set<string>();
  for (const operation of operations) {
    if (operation.kind === 'end') holdIds.push(operation.holdId);
    if (operation.kind !== 'hold') continue;
    holdIds.push(operation.hold.id);
    accountIds.add(operation.hold.account_id);
    tokenIds.add(operation.hold.token_id);
  }
  if (holdIds.length === 0) return state;
  // Holds come first, because they tell whose balances are needed. Every batch locks holds, accounts, tokens in this order.
  const holds = (await connection.read(statements.holds, holdIds)) as unknown as HoldRow[];
  for (const hold of holds) {
    accountIds.add(hold.account_id);
    tokenIds.add(hold.token_id);
    state.holds.set(hold.id, hold);
  }
  const [balances, tokens] = await Promise.all([
    connection.read(statements.balances, [...accountIds]),
    connection.read(statements.tokens, [...tokenIds]),
  ]);
  for (const row of balances) state.balances.set(row['id'] as string, row['balance'] as bigint);
  for (const row of tokens) {
    state.tokens.set(row['id'] as string, {
      quota: row['quota'] as bigint | null,
      used: row['used'] as bigint,
      held: row['held'] as bigint,
    });
  }
  return state;
}

function write(connection: LedgerConnection, statements: LedgerStatements, writes: LedgerWrites): unknown[] {
  const pending: unknown[] = [];
  const send = (sql: string, rows: SqlValue[][]): void => {
    if (rows.length > 0) pending.push(connection.write(sql, rows));
  };
  send(statements.setBalances, [...writes.balances]);
  send(
    statements.setTokens,
    Array.from(writes.tokens, ([id, token]) => [id, token.used, token.held]),
  );
  send(
    statements.addHolds,
    Array.from(writes.newHolds.values(), (hold) => HOLD_COLUMNS.map(([name]) => hold[name])),
  );
  send(statements.endHolds, [...writes.endedHolds]);
  send(
    statements.addEntries,
    writes.entries.map((entry) => ENTRY_COLUMNS.map(([name]) => entry[name])),
  );
  send(
    statements.addRequests,
    writes.requests.map((request) => REQUEST_COLUMNS.map(([name]) => request[name])),
  );
  return pending;
}
