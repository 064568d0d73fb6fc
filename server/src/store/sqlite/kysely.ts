// Lets kysely speak to SQLite threads and processes. Each has one connection, so its user has it alone.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Mutex } from '../../shared/mutex.ts';
import type { StatementAnswer } from './statements.ts';

/** Where statements are run, one at a time. */
export interface StatementRunner {
  statement(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer>;
}

export interface ReadsRunner extends StatementRunner {
  /** One view of the data until it is ended. */
  snapshot(): Promise<Snapshot>;
}

export interface Snapshot extends StatementRunner {
  end(): Promise<void>;
}

/** `begin`: writers take the lock at once, readers only a snapshot. */
export function sqliteThreadDialect(
  thread: StatementRunner,
  mutex: Mutex,
  begin: 'begin' | 'begin immediate',
): Dialect {
  return dialectWith(() => new ThreadDriver(thread, mutex, begin));
}

/** For reads that may overlap, and for transactions that only read. */
export function sqliteReadsDialect(reads: ReadsRunner): Dialect {
  return dialectWith(() => new ReadsDriver(reads));
}

function dialectWith(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver,
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadConnection implements DatabaseConnection {
  readonly #thread: StatementRunner;

  constructor(thread: StatementRunner) {
    this.#thread = thread;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#thread.statement(query.sql, query.parameters);
    return { rows: rows as R[], numAffectedRows: changes };
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported by the embedded database');
  }
}

class ThreadDriver implements Driver {
  readonly #thread: StatementRunner;
  readonly #mutex: Mutex;
  readonly #begin: string;
  readonly #connection: ThreadConnection;

  constructor(thread: StatementRunner, mutex: Mutex, begin: string) {
    this.#thread = thread;
    this.#mutex = mutex;
    this.#begin = begin;
    this.#connection = new ThreadConnection(thread);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock();
  }

  async beginTransaction(): Promise<void> {
    await this.#thread.statement(this.#begin, []);
  }

  async commitTransaction(): Promise<void> {
    await this.#thread.statement('commit', []);
  }

  async rollbackTransaction(): Promise<void> {
    await this.#thread.statement('rollback', []);
  }

  async destroy(): Promise<void> {}
}

class ReadsConnection extends ThreadConnection {
  readonly #reads: ReadsRunner;
  #snapshot: Snapshot | undefined;

  constructor(reads: ReadsRunner) {
    super({ statement: (sql, parameters) => (this.#snapshot ?? reads).statement(sql, parameters) });
    this.#reads = reads;
  }

  async begin(): Promise<void> {
    this.#snapshot = await this.#reads.snapshot();
  }

  async end(): Promise<void> {
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    await snapshot?.end();
  }
}

class ReadsDriver implements Driver {
  readonly #reads: ReadsRunner;

  constructor(reads: ReadsRunner) {
    this.#reads = reads;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ReadsConnection(this.#reads);
  }

  async beginTransaction(connection: ReadsConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: ReadsConnection): Promise<void> {
    await connection.end();
  }

  async rollbackTransaction(connection: ReadsConnection): Promise<void> {
    await connection.end();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
