// Runs in a thread of its own, because node:sqlite is synchronous: the event loop that serves requests never waits for
// the disk. The writing thread takes ledger batches, single statements and short reads; the reading thread only reads. A
// thread sleeps on a shared counter instead of an event loop, which halves the way of a message. It sleeps without a limit,
// once its start is over: a timer would be set and called off twice in every call that comes alone.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { giveBackMemory } from '../../shared/runtime/give-back-memory.ts';
import { isRefusal, SqliteLedger } from './ledger.ts';
import { SqlitePermits } from './permits.ts';
import { PreparedStatements, type StatementAnswer } from './statements.ts';

export interface ThreadData {
  file: string;
  role: 'write' | 'read';
  /** One number that is raised with every message sent. */
  wakeUps: Int32Array<SharedArrayBuffer>;
  port: MessagePort;
}

/** A text is a batch of the ledger: every call sends two, and a bare text costs least. */
export type ThreadRequest =
  | string
  | { kind: 'ledger-again'; operations: string }
  | { kind: 'statement' | 'write' | 'read'; sql: string; parameters: SQLInputValue[] }
  | { kind: 'catch-up' | 'close' };

/** In the order of the requests. Of a batch, what became of its operations, with spaces between. */
export type ThreadAnswer =
  | string
  | { result: StatementAnswer | (StatementAnswer & { tookMs: number }) | null }
  | { error: { message: string; refused: boolean; errcode: number | undefined } };

/** So long nothing was asked: the start is over. Where something always is, it is over by time. */
const QUIET_MS = 1_000;
const START_MS = 10_000;
/** Begins a transaction that writes. */
const BEGIN_WRITING = 'begin immediate';

const { file, role, wakeUps, port } = workerData as ThreadData;

const database = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
database.exec('pragma journal_mode = wal');
database.exec('pragma synchronous = normal');
database.exec('pragma wal_autocheckpoint = 8000'); // 32 MB: a checkpoint waits for the disk, so let it be rare
if (role === 'read') database.exec('pragma query_only = true');
const permits = new SqlitePermits(database);
const prepared = new PreparedStatements(database);
const preparedReads = new PreparedStatements(database);
const ledger = new SqliteLedger(database, permits);

// The other thread comes when somebody waits for it.
let isStarting = role === 'write';

for (let rung = 0, open = true; open;) {
  if (Atomics.wait(wakeUps, 0, rung, isStarting ? QUIET_MS : Infinity) === 'timed-out') {
    isStarting = false;
    giveBackMemory();
    continue;
  }
  if (isStarting && performance.now() > START_MS) isStarting = false;
  rung = Atomics.load(wakeUps, 0);
  for (let received = receiveMessageOnPort(port); received !== undefined; received = receiveMessageOnPort(port)) {
    const request: ThreadRequest = received.message;
    port.postMessage(answer(request));
    if (typeof request !== 'string' && request.kind === 'close') open = false;
  }
  if (open && ledger.isFull) ledger.catchUp();
}

function answer(request: ThreadRequest): ThreadAnswer {
  try {
    if (typeof request === 'string') return ledger.commit(request, false).join(' ');
    switch (request.kind) {
      case 'ledger-again':
        return ledger.commit(request.operations, true).join(' ');
      case 'statement':
        return { result: prepared.run(request.sql, request.parameters) };
      case 'write':
        return { result: write(request.sql, request.parameters) };
      case 'read':
        return { result: read(request.sql, request.parameters) };
      case 'catch-up':
        ledger.catchUp();
        return { result: null };
      case 'close':
        if (role === 'write') ledger.catchUp();
        database.close();
        return { result: null };
    }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { error: { message, refused: isRefusal(error), errcode } };
  }
}

/** On tables that are up to date: the first statement of a transaction sees to that, and one without is one of its own. */
function write(sql: string, parameters: SQLInputValue[]): StatementAnswer {
  if (database.isTransaction) return prepared.run(sql, parameters);
  // A disk that is full makes SQLite undo the whole transaction itself.
  if (sql === 'rollback') return { rows: [], changes: 0n };
  ledger.begin();
  if (sql === BEGIN_WRITING) return { rows: [], changes: 0n };
  try {
    const result = prepared.run(sql, parameters);
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function read(sql: string, parameters: SQLInputValue[]): StatementAnswer & { tookMs: number } {
  if (role === 'write') ledger.catchUp();
  const started = performance.now();
  const { rows, changes } = permits.during('reading', () => preparedReads.run(sql, parameters));
  return { rows, changes, tookMs: performance.now() - started };
}
