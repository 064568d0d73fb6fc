// The ledger's statements, written once with the few words that differ between the dialects.
export type SqlRow = Record<string, unknown>;
export type SqlValue = string | number | bigint | null;
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
  /** Rows named by their id alone. */
  remove(table: string): string;
}

export interface LedgerStatements {
  balances: string;
  tokens: string;
  holds: string;
  ends: string;
  setBalances: string;
  setTokens: string;
  setBudgets: string;
  setAllowances: string;
  addHolds: string;
  setCheckpoints: string;
  endHolds: string;
  addEntries: string;
  addRequests: string;
}

export const HOLD_COLUMNS = [
  ['id', 'text'],
  ['request_id', 'text'],
  ['task_id', 'text'],
  ['account_id', 'text'],
  ['token_id', 'text'],
  ['amount', 'money'],
  ['mode', 'text'],
  ['price', 'text'],
  ['owner', 'text'],
  ['expires_at', 'time'],
  ['created_at', 'time'],
] as const satisfies Column[];

export const ENTRY_COLUMNS = [
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

export const REQUEST_COLUMNS = [
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

const CHECKPOINT_COLUMNS = [
  ['id', 'text'],
  ['checkpoint', 'text'],
] as const satisfies Column[];

const BUDGET_COLUMNS = [
  ['id', 'text'],
  ['budget_start', 'time'],
  ['budget_used', 'money'],
] as const satisfies Column[];

const ALLOWANCE_COLUMNS = [
  ['id', 'text'],
  ['period_start', 'time'],
  ['period_used', 'money'],
] as const satisfies Column[];

const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** The statements of a dialect, made once. */
export function ledgerStatements({ texts, lock, insert, update, remove }: LedgerWords): LedgerStatements {
  return {
    balances: `select id, balance, budget, budget_period, budget_start, budget_used from accounts where id in (${texts}) order by id ${lock}`,
    tokens: `select id, quota, used, held, quota_period, period_start, period_used from tokens where id in (${texts}) order by id ${lock}`,
    holds: `select ${names(HOLD_COLUMNS)} from holds where id in (${texts}) order by id ${lock}`,
    ends: `select hold_id, kind, note from ledger where hold_id in (${texts}) and kind in ('settle', 'release')`,
    setBalances: update('accounts', BALANCE_COLUMNS),
    setTokens: update('tokens', TOKEN_COLUMNS),
    setBudgets: update('accounts', BUDGET_COLUMNS),
    setAllowances: update('tokens', ALLOWANCE_COLUMNS),
    addHolds: insert('holds', HOLD_COLUMNS),
    setCheckpoints: update('holds', CHECKPOINT_COLUMNS),
    endHolds: remove('holds'),
    addEntries: insert('ledger', ENTRY_COLUMNS),
    addRequests: `${insert('requests', REQUEST_COLUMNS)} on conflict (id) do nothing`,
  };
}
