// The ledger's statements, written once with the few words that differ between the dialects.
import type { LedgerTable } from '../tables.ts';
import { ACCOUNT_MONEY, TOKEN_MONEY } from './money-columns.ts';
import type { HoldRow, RequestRow } from './operations.ts';

export type SqlRow = Record<string, unknown>;
export type SqlValue = string | number | bigint | null;
export type Column = readonly [name: string, type: 'text' | 'money' | 'time' | 'integer'];

/** How a dialect says what differs. Reads take ids, all or one at a time; writes take rows of values in the order of the columns. */
export interface LedgerWords {
  /** What stands in `in (...)`: the only parameter, which is one id, or a subquery of the texts in it. */
  texts: string;
  /** Row lock appended to the reads; empty where the transaction already excludes other writers. */
  lock: string;
  insert(table: string, columns: readonly Column[]): string;
  /** What is given with a line of the request log beside its columns; empty where the database adds it itself. */
  requestNumber: readonly Column[];
  /** Sets all columns but the first, which names the row. */
  update(table: string, columns: readonly Column[]): string;
  /** Rows named by their id alone. */
  remove(table: string): string;
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
  ['reason', 'text'],
] as const satisfies Column[];

/**
 * The three kinds of rows that every call writes, in the order of their columns: named here, since to look each name up costs more.
 * Of holds and requests an amount may also stand in them as text.
 */
export function holdWith<Amount>(row: HoldRow, amount: Amount) {
  return [
    row.id,
    row.request_id,
    row.task_id,
    row.account_id,
    row.token_id,
    amount,
    row.mode,
    row.price,
    row.owner,
    row.expires_at,
    row.created_at,
  ] as const;
}

export const holdValues = (row: HoldRow) => holdWith(row, row.amount) as readonly SqlValue[] as SqlValue[];

export function entryValues(row: Omit<LedgerTable, 'id'>): SqlValue[] {
  return [
    row.kind,
    row.account_id,
    row.token_id,
    row.hold_id,
    row.request_id,
    row.task_id,
    row.amount,
    row.balance_after,
    row.mode,
    row.usage_source,
    row.note,
    row.author,
    row.created_at,
  ];
}

export function requestWith<Amount>(row: RequestRow, charge: Amount) {
  return [
    row.id,
    row.account_id,
    row.token_id,
    row.group_name,
    row.endpoint,
    row.model,
    row.channel_id,
    row.status,
    row.error_code,
    row.attempts,
    row.first_byte_ms,
    row.total_ms,
    row.usage,
    row.usage_source,
    charge,
    row.arithmetic,
    row.mode,
    row.created_at,
    row.reason ?? null,
  ] as const;
}

export const requestValues = (row: RequestRow) => requestWith(row, row.charge) as readonly SqlValue[] as SqlValue[];

/** What may change while a task lives; its name comes first. */
export const CHANGED_TASK_COLUMNS = [
  ['id', 'text'],
  ['channel_id', 'text'],
  ['key_id', 'text'],
  ['upstream_id', 'text'],
  ['handle', 'text'],
  ['upstream_model', 'text'],
  ['sent_at', 'time'],
  ['state', 'text'],
  ['progress', 'integer'],
  ['result_url', 'text'],
  ['fail_reason', 'text'],
  ['error_code', 'text'],
  ['sent', 'text'],
  ['told', 'text'],
  ['seconds', 'integer'],
  ['size', 'text'],
  ['charge', 'money'],
  ['arithmetic', 'text'],
  ['version', 'integer'],
  ['lease_owner', 'text'],
  ['lease_until', 'time'],
  ['next_poll_at', 'time'],
  ['poll_failures', 'integer'],
  ['videoless', 'integer'],
  ['refused_since', 'time'],
  ['deleted_at', 'time'],
  ['updated_at', 'time'],
  ['completed_at', 'time'],
] as const satisfies Column[];

export const TASK_COLUMNS = [
  ...CHANGED_TASK_COLUMNS,
  ['account_id', 'text'],
  ['token_id', 'text'],
  ['group_name', 'text'],
  ['mode', 'text'],
  ['request_id', 'text'],
  ['endpoint', 'text'],
  ['model', 'text'],
  ['hold', 'money'],
  ['price', 'text'],
  ['deadline', 'time'],
  ['webhook_url', 'text'],
  ['archived', 'integer'],
  ['created_at', 'time'],
] as const satisfies Column[];

export const EVENT_COLUMNS = [
  ['task_id', 'text'],
  ['status', 'text'],
  ['at', 'time'],
] as const satisfies Column[];

export const DELIVERY_COLUMNS = [
  ['id', 'text'],
  ['task_id', 'text'],
  ['account_id', 'text'],
  ['url', 'text'],
  ['payload', 'text'],
  ['status', 'text'],
  ['attempts', 'integer'],
  ['log', 'text'],
  ['next_attempt_at', 'time'],
  ['created_at', 'time'],
  ['completed_at', 'time'],
] as const satisfies Column[];

/** Known only when the work that a request began is over. */
const CHARGED = ['usage', 'usage_source', 'charge', 'arithmetic']
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

const ID: Column = ['id', 'text'];

const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

export type LedgerStatements = ReturnType<typeof ledgerStatements>;

/** The statements of a dialect, made once. */
export function ledgerStatements({ texts, lock, insert, update, remove, requestNumber }: LedgerWords) {
  const insertRequests = insert('requests', [...REQUEST_COLUMNS, ...requestNumber]);
  return {
    balances: `select id, ${ACCOUNT_MONEY.join(', ')} from accounts where id in (${texts}) order by id ${lock}`,
    tokens: `select id, ${TOKEN_MONEY.join(', ')}, member_id from tokens where id in (${texts}) order by id ${lock}`,
    caps: `select id, cap, cap_period, cap_start, cap_used from members where id in (${texts}) and cap is not null order by id ${lock}`,
    holds: `select ${names(HOLD_COLUMNS)} from holds where id in (${texts}) order by id ${lock}`,
    ends: `select hold_id, kind, note from ledger where hold_id in (${texts}) and kind in ('settle', 'release')`,
    setBalances: update('accounts', [ID, ['balance', 'money']]),
    setTokens: update('tokens', [ID, ['used', 'money'], ['held', 'money']]),
    setBudgets: update('accounts', [ID, ['budget_start', 'time'], ['budget_used', 'money']]),
    setCaps: update('members', [ID, ['cap_start', 'time'], ['cap_used', 'money']]),
    setAllowances: update('tokens', [ID, ['period_start', 'time'], ['period_used', 'money']]),
    addHolds: insert('holds', HOLD_COLUMNS),
    setCheckpoints: update('holds', [ID, ['checkpoint', 'text']]),
    endHolds: remove('holds'),
    addEntries: insert('ledger', ENTRY_COLUMNS),
    addRequests: `${insertRequests} on conflict (id) do nothing`,
    chargeRequests: `${insertRequests} on conflict (id) do update set ${CHARGED}`,
    tasks: `select id, version, completed_at from tasks where id in (${texts}) order by id ${lock}`,
    addTasks: insert('tasks', TASK_COLUMNS),
    changeTasks: update('tasks', CHANGED_TASK_COLUMNS),
    addEvents: insert('task_events', EVENT_COLUMNS),
    addDeliveries: insert('webhook_deliveries', DELIVERY_COLUMNS),
  };
}
