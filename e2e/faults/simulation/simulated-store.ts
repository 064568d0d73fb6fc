// A store whose every answer takes virtual time and may be lost, over one SQLite in memory that all simulated processes
// share. The ledger's rules, statements and group commit are the real ones.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Mutex } from '../../../server/src/shared/mutex.ts';
import type { SqliteThread } from '../../../server/src/store/sqlite/connection.ts';
import { sqliteThreadDialect } from '../../../server/src/store/sqlite/kysely.ts';
import { SqliteLedger } from '../../../server/src/store/sqlite/ledger.ts';
import { SqlitePermits } from '../../../server/src/store/sqlite/permits.ts';
import { PreparedStatements, type StatementAnswer } from '../../../server/src/store/sqlite/statements.ts';
import { sqliteWords } from '../../../server/src/store/sqlite/sql-fragments.ts';
import type { BatchOptions } from '../../../server/src/store/ledger/apply-batch.ts';
import { encodeOperations } from '../../../server/src/store/ledger/encode-operations.ts';
import { GroupCommit } from '../../../server/src/store/ledger/group-commit.ts';
import type { LedgerOperation, LedgerResult } from '../../../server/src/store/ledger/operations.ts';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import { migrate } from '../../../server/src/store/migrations/migrate.ts';
import type { Store } from '../../../server/src/store/store.ts';
import type { Tables } from '../../../server/src/store/tables.ts';
import type { Random } from '../random.ts';
import type { SimulatedProcess, VirtualTime } from './virtual-time.ts';

const LOST_CHANCE = 0.02;

/** The database itself: every reader finds what was committed, whatever happened to the process that committed it. */
export class SimulatedDatabase {
  readonly #database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  readonly #prepared = new PreparedStatements(this.#database);
  /** What a process knows besides the file. They take turns so strictly here that one serves them all, until one crashes. */
  #ledger = this.#newLedger();
  /** Nobody's batch arrives until then. */
  awayUntil = 0;
  #holder: SimulatedProcess | undefined;
  #isLocked = false;
  #waiting: { owner: SimulatedProcess; go: () => void }[] = [];

  static async create(): Promise<SimulatedDatabase> {
    const database = new SimulatedDatabase();
    await migrate(
      {
        run: async (sql) => database.#database.exec(sql),
        names: async (sql) =>
          database.#database
            .prepare(sql)
            .all()
            .map((row) => String(row['name'])),
      },
      sqliteWords,
      migrations,
    );
    return database;
  }

  run(sql: string, parameters: readonly unknown[]): StatementAnswer {
    if (sql === 'begin immediate') {
      this.#ledger.begin();
      return { rows: [], changes: 0n };
    }
    this.#ledger.catchUp();
    return this.#prepared.run(sql, parameters as SQLInputValue[]);
  }

  commit(operations: readonly LedgerOperation[], { repeated }: BatchOptions): LedgerResult[] {
    return this.#ledger.commit(encodeOperations(operations), repeated);
  }

  isHeldBy(owner: SimulatedProcess): boolean {
    return this.#holder === owner;
  }

  lock(owner: SimulatedProcess): Promise<void> {
    if (!this.#isLocked) {
      this.#isLocked = true;
      this.#holder = owner;
      return Promise.resolve();
    }
    return new Promise((go) => {
      this.#waiting.push({ owner, go });
    });
  }

  unlock(): void {
    const next = this.#waiting.find(({ owner }) => owner.isAlive);
    this.#waiting = next === undefined ? [] : this.#waiting.slice(this.#waiting.indexOf(next) + 1);
    this.#isLocked = next !== undefined;
    this.#holder = next?.owner;
    next?.go();
  }

  /** A connection that is gone takes its open transaction with it. */
  forget(owner: SimulatedProcess): void {
    this.#ledger = this.#newLedger();
    if (this.#holder !== owner) return;
    if (this.#database.isTransaction) this.#database.exec('rollback');
    this.unlock();
  }

  close(): void {
    this.#database.close();
  }

  #newLedger(): SqliteLedger {
    return new SqliteLedger(this.#database, new SqlitePermits(this.#database));
  }
}

export interface StoreDependencies {
  database: SimulatedDatabase;
  time: VirtualTime;
  random: Random;
  owner: SimulatedProcess;
}

class ConnectionBroke extends Error {
  override name = 'ConnectionBroke';
}

/** The store as one process has it. */
export function simulateStore({ database, time, random, owner }: StoreDependencies): Store {
  const latency = (): Promise<void> => time.wait(random.whole(0, 8));
  const thread = {
    async statement(sql: string, parameters: readonly unknown[]) {
      await latency();
      const answer = database.run(sql, parameters);
      await latency();
      return answer;
    },
  } as unknown as SqliteThread;
  const mutex = { lock: () => database.lock(owner), unlock: () => database.unlock() } as unknown as Mutex;
  const open = (begin: 'begin' | 'begin immediate'): Kysely<Tables> =>
    new Kysely<Tables>({ dialect: sqliteThreadDialect(thread, mutex, begin) });
  const [reads, writes] = [open('begin'), open('begin immediate')];
  const commitLocked = (operations: LedgerOperation[], options: BatchOptions): LedgerResult[] => {
    try {
      return database.commit(operations, options);
    } finally {
      database.unlock();
    }
  };
  const groupCommit = new GroupCommit({
    refuses: (error) => !(error instanceof ConnectionBroke),
    async commit(operations, options) {
      await latency();
      if (time.now() < database.awayUntil || random.chance(LOST_CHANCE))
        throw new ConnectionBroke('the connection broke before the batch arrived');
      await database.lock(owner);
      const results = commitLocked(operations, options);
      await latency();
      if (time.now() < database.awayUntil || random.chance(LOST_CHANCE))
        throw new ConnectionBroke('the connection broke before the answer arrived');
      return results;
    },
  });
  return {
    dialect: 'sqlite',
    reads,
    lists: reads,
    transaction: (work) => writes.transaction().execute(work),
    rewrite: (work) => writes.transaction().execute(work),
    commit: (operation) => groupCommit.submit(operation),
    now: async () => Math.floor(time.now() / 1000),
    ping: latency,
    writeProblem: () => undefined,
    keepRequests: () => Promise.resolve(false),
    committedUpTo: () => Promise.resolve(0n),
    keepLedger: () => Promise.resolve(false),
    keepUsage: () => Promise.resolve(false),
    listen: () => undefined,
    close: () => Promise.resolve(),
  };
}
