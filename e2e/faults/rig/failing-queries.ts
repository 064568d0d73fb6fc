// Makes the k-th query of this process fail, on either store: before it is sent, or after it has been done and only its
// answer is lost.
import pg from 'pg';
import { SqliteError, SqliteThread } from '../../../server/src/store/sqlite/connection.ts';

export type FailMode = 'not-sent' | 'answer-lost';

interface Armed {
  left: number;
  mode: FailMode;
}

let armed: Armed | undefined;

/** True for the query that is to fail. */
function isChosen(): FailMode | undefined {
  if (armed === undefined || --armed.left !== 0) return undefined;
  const { mode } = armed;
  armed = undefined;
  return mode;
}

export function failQuery(k: number, mode: FailMode): void {
  armed = { left: k, mode };
}

/** False when there were fewer queries than that. */
export function hasFailed(): boolean {
  const failed = armed === undefined;
  armed = undefined;
  return failed;
}

/** Between threads no answer is lost, and the thread undoes a `begin` that failed: this one is never half done. */
const BEGIN = /^begin\b/;

type AnyQuery = (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

/** Until `restore` is called. */
export function breakQueries(): { restore(): void } {
  const query = pg.Client.prototype.query as unknown as AnyQuery;
  const { statement, write, read, catchUp, ledger } = SqliteThread.prototype;
  (pg.Client.prototype as unknown as { query: AnyQuery }).query = function (...args) {
    const isPromised = typeof args.at(-1) !== 'function';
    const mode = isPromised ? isChosen() : undefined;
    if (mode === undefined) return query.apply(this, args);
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection;
    if (mode === 'not-sent') stream.destroy();
    const sent = query.apply(this, args);
    if (mode === 'not-sent') return sent;
    return sent.then(() => {
      stream.destroy();
      throw new Error('Connection terminated unexpectedly');
    });
  };
  Object.assign(SqliteThread.prototype, {
    statement: failing(statement),
    write: failing(write),
    read: failing(read),
    catchUp: failing(catchUp),
    ledger: failing(ledger),
  });
  return {
    restore() {
      armed = undefined;
      (pg.Client.prototype as unknown as { query: AnyQuery }).query = query;
      Object.assign(SqliteThread.prototype, { statement, write, read, catchUp, ledger });
    },
  };
}

type ThreadWork<Arguments extends unknown[], Answer> = (this: SqliteThread, ...args: Arguments) => Promise<Answer>;

function failing<Arguments extends unknown[], Answer>(
  work: ThreadWork<Arguments, Answer>,
): ThreadWork<Arguments, Answer> {
  return async function (...args) {
    const mode = isChosen();
    if (mode === undefined) return work.apply(this, args);
    if (mode === 'answer-lost' && !BEGIN.test(String(args[0]))) await work.apply(this, args);
    throw new SqliteError('disk I/O error', false);
  };
}
