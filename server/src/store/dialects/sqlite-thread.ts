// Runs in a thread of its own, because node:sqlite is synchronous: the event loop that serves requests never waits for
// the disk. The writing thread takes ledger batches, single statements and short reads; the reading thread only reads. A
// thread sleeps on a shared counter instead of an event loop, which halves the way of a message.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { giveBackMemory } from '../../shared/give-back-memory.ts';
import { applyBatch, emptyState, type Write } from '../ledger/apply-batch.ts';
import { decodeOperations } from '../ledger/encode-operations.ts';
import type { LedgerResult } from '../ledger/operations.ts';
import { ledgerStatements } from '../ledger/statements.ts';
import { SqlitePermits } from './sqlite-permits.ts';
import { SqliteRequestLog } from './sqlite-request-log.ts';
import { PreparedStatements, type StatementAnswer } from './sqlite-statements.ts';
import { sqliteLedgerWords } from './sqlite-words.ts';

export interface ThreadData {
  file: string;
  role: 'write' | 'read';
  /** One number that is raised with every message sent. */
  bell: Int32Array<SharedArrayBuffer>;
}

export type ThreadRequest =
  | { id: number; kind: 'statement'; sql: string; parameters: SQLInputValue[] }
  | { id: number; kind: 'read'; sql: string; parameters: SQLInputValue[] }
  | { id: number; kind: 'ledger'; operations: string; repeated: boolean }
  | { id: number; kind: 'close' };

export type ThreadAnswer =
  | { id: number; result: StatementAnswer | (StatementAnswer & { tookMs: number }) | LedgerResult[] | null }
  | { id: number; error: { message: string; refused: boolean } };

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
const permits = new SqlitePermits(database);
const prepared = new PreparedStatements(database);
const preparedReads = new PreparedStatements(database);
const statements = ledgerStatements(sqliteLedgerWords);
const requestLog = new SqliteRequestLog(database, permits);
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
/** Changes when another connection has written. */
const dataVersion = database.prepare('pragma data_version');

/** So many open holds and tokens are known at most; then all are read anew. */
const MOST_KNOWN = 10_000;

// What the last batch left behind is known and need not be read, as long as nobody else has written since.
let known = emptyState();
let knownVersion: unknown;

// The other thread comes when somebody waits for it.
if (role === 'write') giveBackMemory();

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
        if (role === 'write') known = emptyState();
        return { id, result: prepared.run(request.sql, request.parameters) };
      case 'read':
        return { id, result: read(request.sql, request.parameters) };
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

function read(sql: string, parameters: SQLInputValue[]): StatementAnswer & { tookMs: number } {
  const started = performance.now();
  const { rows, changes } = permits.during('reading', () => preparedReads.run(sql, parameters));
  return { rows, changes, tookMs: performance.now() - started };
}

function commitBatch(encoded: string, repeated: boolean): LedgerResult[] {
  const operations = decodeOperations(encoded);
  begin.run();
  try {
    const version = dataVersion.get()?.['data_version'];
    if (version !== knownVersion || known.holds.size + known.tokens.size > MOST_KNOWN) known = emptyState();
    knownVersion = version;
    const steps = applyBatch(statements, operations, { repeated }, known);
    let step = steps.next();
    while (step.done !== true) {
      step = steps.next(
        step.value.map((one) => {
          if (one.kind === 'read') return one.ids.flatMap((id) => prepared.run(one.sql, [id]).rows);
          write(one);
          return [];
        }),
      );
    }
    commit.run();
    known.ended.clear();
    known.tasks.clear();
    return step.value;
  } catch (error) {
    known = emptyState();
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function write({ sql, rows }: Write): void {
  if (sql === statements.addRequests) requestLog.add(sql, rows);
  else prepared.writeRows(sql, rows);
}
