// Runs in a thread of its own, because node:sqlite is synchronous: the event loop that serves requests never waits for
// the disk. The writing thread takes ledger batches and single statements; the reading thread only statements. The thread
// sleeps on a shared counter instead of an event loop, which halves the way of a message.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { applyBatch } from '../ledger/apply-batch.ts';
import { decodeOperations } from '../ledger/encode-operations.ts';
import type { LedgerResult } from '../ledger/operations.ts';
import { ledgerStatements, type SqlRow, type SqlValue } from '../ledger/statements.ts';
import { sqliteLedgerWords } from './sqlite-words.ts';

export interface ThreadData {
  file: string;
  role: 'write' | 'read';
  /** One number that is raised with every message sent. */
  bell: Int32Array<SharedArrayBuffer>;
}

export type ThreadRequest =
  | { id: number; kind: 'statement'; sql: string; parameters: SQLInputValue[] }
  | { id: number; kind: 'ledger'; operations: string; repeated: boolean }
  | { id: number; kind: 'close' };

export interface StatementAnswer {
  rows: SqlRow[];
  changes: bigint;
}

export type ThreadAnswer =
  | { id: number; result: StatementAnswer | LedgerResult[] | null }
  | { id: number; error: { message: string; refused: boolean } };

interface Prepared {
  statement: StatementSync;
  /** Columns declared as money stay bigint, all other numbers become plain numbers. Empty for statements without rows. */
  columns: { name: string; money: boolean }[];
}

const MAX_PREPARED = 500;
/** Busy, locked, read-only, I/O, corrupt, full, cannot open, protocol: the database's state, not what it was asked. */
const STORE_PROBLEMS = new Set([5, 6, 8, 10, 11, 13, 14, 15, 26]);

const { file, role, bell } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new Error('sqlite-thread.ts runs only as a worker thread');

const database = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
database.exec('pragma journal_mode = wal');
database.exec('pragma synchronous = normal');
database.exec('pragma wal_autocheckpoint = 8000'); // 32 MB: a checkpoint waits for the disk, so let it be rare
if (role === 'read') database.exec('pragma query_only = true');
const prepared = new Map<string, Prepared>();
const statements = ledgerStatements(sqliteLedgerWords);
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');

for (let rung = 0, open = true; open;) {
  Atomics.wait(bell, 0, rung);
  rung = Atomics.load(bell, 0);
  for (let letter = receiveMessageOnPort(port); letter !== undefined; letter = receiveMessageOnPort(port)) {
    const request: ThreadRequest = letter.message;
    port.postMessage(answer(request));
    if (request.kind === 'close') open = false;
  }
}

function answer(request: ThreadRequest): ThreadAnswer {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'statement':
        return { id, result: run(request.sql, request.parameters) };
      case 'ledger':
        return { id, result: commitBatch(request.operations, request.repeated) };
      case 'close':
        database.close();
        return { id, result: null };
    }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, error: { message, refused: errcode === undefined || !STORE_PROBLEMS.has(errcode & 0xff) } };
  }
}

function commitBatch(encoded: string, repeated: boolean): LedgerResult[] {
  const steps = applyBatch(statements, decodeOperations(encoded), { repeated });
  begin.run();
  try {
    let step = steps.next();
    while (step.done !== true) {
      step = steps.next(
        step.value.map((one) => {
          if (one.kind === 'read') return one.ids.flatMap((id) => run(one.sql, [id]).rows);
          writeRows(one.sql, one.rows);
          return [];
        }),
      );
    }
    commit.run();
    return step.value;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function writeRows(sql: string, rows: readonly SqlValue[][]): void {
  const { statement } = prepare(sql);
  for (const row of rows) statement.run(...row);
}

function run(sql: string, parameters: SQLInputValue[]): StatementAnswer {
  const { statement, columns } = prepare(sql);
  if (columns.length === 0) {
    return { rows: [], changes: statement.run(...parameters).changes as bigint };
  }
  const rows = statement.all(...parameters) as SqlRow[];
  return { rows: rows.map((row) => convert(row, columns)), changes: BigInt(rows.length) };
}

function convert(row: SqlRow, columns: Prepared['columns']): SqlRow {
  const converted: SqlRow = {};
  for (const { name, money } of columns) {
    const value = row[name];
    converted[name] = typeof value === 'bigint' && !money ? Number(value) : value;
  }
  return converted;
}

function prepare(sql: string): Prepared {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const columns = statement.columns().map(({ name, type }) => ({ name, money: type?.toLowerCase() === 'bigint' }));
  if (prepared.size >= MAX_PREPARED) prepared.clear();
  const fresh = { statement, columns };
  prepared.set(sql, fresh);
  return fresh;
}
