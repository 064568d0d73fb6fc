// A gateway with a long past, written into its database: of every name one that nearly all lines bear, some that several
// do, and one that hardly any does.
import { DatabaseSync } from 'node:sqlite';
import { firstIdAt } from '../../../server/src/shared/ids.ts';

export const DAY = 86_400;
export const SPAN = 30 * DAY;
export const START = 1_757_376_000;
/** Of accounts and tokens each, for the searches by name. */
const NAMES = 100_000;
const RARELY = 100_000;

/** The moment of a line, the lines being spread evenly over the time. */
export function timeOf(number: number, rows: number): number {
  return START + Math.floor((number / rows) * SPAN);
}

export function idOf(prefix: 'req' | 'task', number: number, rows: number): string {
  return `${firstIdAt(prefix, timeOf(number, rows) * 1000)}${String(number).padStart(16, '0')}`;
}

function nameOf(kind: string, number: number): string {
  if (number % RARELY === 7) return `${kind}_few`;
  return number % 10 === 0 ? `${kind}_${(number / 10) % 20}` : `${kind}_most`;
}

function outcomeOf(number: number): [status: number, code: string | null] {
  if (number % RARELY === 7) return [418, 'few'];
  return number % 1000 === 0 ? [502, 'upstream_error'] : [200, null];
}

export function fillLists(file: string, rows: number): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off');
  database.exec('begin');
  fillRequests(database, rows);
  fillLedger(database, rows);
  fillTasks(database, Math.floor(rows / 10));
  fillAudit(database, Math.floor(rows / 10));
  fillNames(database);
  database.exec('commit');
  database.close();
}

function fillRequests(database: DatabaseSync, rows: number): void {
  const insert = database.prepare(
    `insert into requests (id, account_id, token_id, group_name, endpoint, model, channel_id, status, error_code, attempts,
      first_byte_ms, total_ms, usage, usage_source, charge, arithmetic, mode, created_at)
     values (?, ?, ?, 'default', '/v1/chat/completions', ?, ?, ?, ?, '[{"channel_id":"chn_1","status":200,"error":null,"ms":12}]',
      200, 900, '{"input_tokens":1000,"output_tokens":200}', 'upstream', 4500000, '(1000 input x 2.5) / 1000000', 'live', ?)`,
  );
  for (let number = 0; number < rows; number++) {
    const names = ['acc', 'tok', 'model', 'chn'].map((kind) => nameOf(kind, number));
    insert.run(idOf('req', number, rows), ...names, ...outcomeOf(number), timeOf(number, rows));
  }
}

function fillLedger(database: DatabaseSync, rows: number): void {
  const insert = database.prepare(
    `insert into ledger (kind, account_id, token_id, hold_id, request_id, amount, balance_after, mode, created_at)
     values (?, ?, ?, ?, ?, 4500000, 0, ?, ?)`,
  );
  for (let number = 0; number < rows; number++) {
    const rare = number % RARELY === 7;
    const request = idOf('req', number, rows);
    const kind = rare ? 'credit' : number % 2 === 0 ? 'hold' : 'settle';
    const names = [nameOf('acc', number), nameOf('tok', number)];
    insert.run(kind, ...names, request, request, rare ? 'test' : 'live', timeOf(number, rows));
  }
}

function fillTasks(database: DatabaseSync, rows: number): void {
  const insert = database.prepare(
    `insert into tasks (id, account_id, token_id, model, channel_id, state, group_name, mode, request_id, endpoint, progress,
      sent, told, hold, price, version, next_poll_at, poll_failures, deadline, archived, created_at, updated_at, completed_at)
     values (?, ?, ?, ?, ?, ?, 'default', 'live', ?, '/v1/videos', 100, '{}', '{}', 0, '{}', 1, 0, 0, 0, 0, ?, ?, ?)`,
  );
  for (let number = 0; number < rows; number++) {
    const names = ['acc', 'tok', 'model', 'chn'].map((kind) => nameOf(kind, number));
    const at = timeOf(number, rows);
    const state = number % 10_000 === 7 ? 'FAILURE' : 'SUCCESS';
    insert.run(idOf('task', number, rows), ...names, state, idOf('req', number, rows), at, at, at);
  }
}

function fillAudit(database: DatabaseSync, rows: number): void {
  const insert = database.prepare(
    `insert into audit (operator, action, resource, resource_id, detail, created_at) values (?, ?, ?, ?, '{}', ?)`,
  );
  for (let number = 0; number < rows; number++) {
    const names = ['operator', 'action', 'resource', 'id'].map((kind) => nameOf(kind, number));
    insert.run(...names, timeOf(number, rows));
  }
}

function fillNames(database: DatabaseSync): void {
  const account = database.prepare(
    `insert into accounts (id, name, group_name, status, balance, created_at) values (?, ?, 'default', 'active', ?, 0)`,
  );
  const token = database.prepare(
    `insert into tokens (id, account_id, name, ip_allow, rate, mode, status, key_hint, used, held, created_at)
     values (?, ?, ?, '[]', '{}', 'live', 'enabled', '', 0, 0, 0)`,
  );
  for (let number = 0; number < NAMES; number++) {
    account.run(`acc_${number}`, `Name ${number}`, (number * 7919) % NAMES);
    token.run(`tok_${number}`, `acc_${number}`, `Name ${number}`);
  }
  for (const kind of ['few', 'most']) {
    account.run(`acc_${kind}`, kind, 0);
    token.run(`tok_${kind}`, `acc_${kind}`, kind);
  }
}
