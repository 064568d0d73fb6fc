// A store whose every answer takes virtual time and may be lost, over one SQLite in memory that all simulated processes
// share. The ledger's rules, statements and group commit are the real ones.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Mutex } from '../../../server/src/shared/mutex.ts';
import type { SqliteThread } from '../../../server/src/store/dialects/sqlite-connection.ts';
import { sqliteThreadDialect } from '../../../server/src/store/dialects/sqlite-kysely.ts';
import { sqliteLedgerWords, sqliteWords } from '../../../server/src/store/dialects/sqlite-words.ts';
import { applyBatch, type BatchOptions } from '../../../server/src/store/ledger/apply-batch.ts';
import { GroupCommit } from '../../../server/src/store/ledger/group-commit.ts';
import type { LedgerOperation, LedgerResult } from '../../../server/src/store/ledger/operations.ts';
import { ledgerStatements, type SqlRow } from '../../../server/src/store/ledger/statements.ts';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import { migrate } from '../../../server/src/store/migrations/migrate.ts';
import type { Store } from '../../../server/src/store/store.ts';
import type { Tables } from '../../../server/src/store/tables.ts';
import type { Random } from '../random.ts';
import type { SimulatedProcess, VirtualTime } from './virtual-time.ts';

const statements = ledgerStatements(sqliteLedgerWords);
const LOST_CHANCE = 0.02;

interface Prepared {
  statement: StatementSync;
  columns: { name: string; money: boolean }[];
}

/** The database itself: whoever reaches it finds what was committed, whatever happened to who committed it. */
export class SimulatedDatabase {
  readonly #database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  readonly #prepared = new Map<string, Prepared>();
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
        names: async (sql) => database.run(sql, []).rows.map((row) => String(row['name'])),
      },
      sqliteWords,
      migrations,
    );
    return database;
  }

  run(sql: string, parameters: readonly unknown[]): { rows: SqlRow[]; changes: bigint } {
    const { statement, columns } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (columns.length === 0) return { rows: [], changes: BigInt(statement.run(...values).changes) };
    const rows = (statement.all(...values) as SqlRow[]).map((row) => {
      for (const { name, money } of columns) {
        const value = row[name];
        if (typeof value === 'bigint' && !money) row[name] = Number(value);
      }
      return row;
    });
    return { rows, changes: BigInt(rows.length) };
  }

  commit(operations: readonly LedgerOperation[], options: BatchOptions): LedgerResult[] {
    const steps = applyBatch(statements, operations, options);
    this.#database.exec('begin immediate');
    try {
      let step = steps.next();
      while (step.done !== true)
        step = steps.next(
          step.value.map((one) => {
            if (one.kind === 'read') return this.run(one.sql, [JSON.stringify(one.ids)]).rows;
            for (const row of one.rows) this.run(one.sql, row);
            return [];
          }),
        );
      this.#database.exec('commit');
      return step.value;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
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
    if (this.#holder !== owner) return;
    if (this.#database.isTransaction) this.#database.exec('rollback');
    this.unlock();
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name, type }) => ({ name, money: type?.toLowerCase() === 'bigint' }));
    const fresh = { statement, columns };
    this.#prepared.set(sql, fresh);
    return fresh;
  }
}

export interface StoreParts {
  database: SimulatedDatabase;
  time: VirtualTime;
  random: Random;
  owner: SimulatedProcess;
}

/** The store as one process has it. */
export function simulateStore({ database, time, random, owner }: StoreParts): Store {
  const way = (): Promise<void> => time.wait(random.whole(0, 8));
  const thread = {
    async statement(sql: string, parameters: readonly unknown[]) {
      await way();
      const answer = database.run(sql, parameters);
      await way();
      return answer;
    },
  } as unknown as SqliteThread;
  const mutex = { lock: () => database.lock(owner), unlock: () => database.unlock() } as unknown as Mutex;
  const open = (begin: 'begin' | 'begin immediate'): Kysely<Tables> =>
    new Kysely<Tables>({ dialect: sqliteThreadDialect(thread, mutex, begin) });
  const [reads, writes] = [open('begin'), open('begin immediate')];
  const groupCommit = new GroupCommit({
    refuses: () => false,
    async commit(operations, options) {
      await way();
      if (time.now() < database.awayUntil || random.chance(LOST_CHANCE))
        throw new Error('the connection broke before the batch arrived');
      await database.lock(owner);
      const results = database.commit(operations, options);
      database.unlock();
      await way();
      if (time.now() < database.awayUntil || random.chance(LOST_CHANCE))
        throw new Error('the connection broke before the answer arrived');
      return results;
    },
  });
  return {
    dialect: 'sqlite',
    reads,
    lists: reads,
    transaction: (work) => writes.transaction().execute(work),
    commit: (operation) => groupCommit.submit(operation),
    now: async () => Math.floor(time.now() / 1000),
    ping: way,
    keepRequests: () => Promise.resolve(false),
    listen: () => undefined,
    close: () => Promise.resolve(),
  };
}
