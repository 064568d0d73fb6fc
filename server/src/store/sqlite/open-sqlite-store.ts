// The embedded store: one SQLite file in WAL mode, one thread that writes, another for reads while there is need, and a
// process for lists.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, type SqlBool } from 'kysely';
import { Mutex } from '../../shared/mutex.ts';
import { GroupCommit } from '../ledger/group-commit.ts';
import { usageSumsByOutcome } from '../migrations/0118-usage-by-outcome.ts';
import { migrations } from '../migrations/index.ts';
import { migrate, requireMigrated, StoreMissing } from '../migrations/migrate.ts';
import { ID_KINDS, rangeBefore } from '../queries/request-order.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { WriteHealth } from '../write-health.ts';
import { SqliteError, SqliteThread } from './connection.ts';
import { sqliteFault } from './faults.ts';
import { SqliteFlush } from './flush.ts';
import { sqliteReadsDialect, sqliteThreadDialect } from './kysely.ts';
import { SqliteLists } from './lists.ts';
import { SqliteReads } from './reads.ts';
import type { StatementAnswer } from './statements.ts';
import { sqliteWords } from './sql-fragments.ts';

/** Rows: about two milliseconds of the writing thread. */
const FORGET_AT_ONCE = 200;

/** A look that opens the file only to read it: what is no database of ours stays as it is. */
export async function requireSqliteStore(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'tollgate.db');
  if (!existsSync(file)) throw new StoreMissing(`there is no ${file}`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    await requireMigrated(
      {
        names: async (statement) =>
          database
            .prepare(statement)
            .all()
            .map((row) => String(row['name'])),
      },
      migrations,
    );
  } finally {
    database.close();
  }
}

const lastChange = sql`(select max(change) from requests where change > 0)`;

export async function openSqliteStore(dataFolder: string): Promise<Store> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, 'tollgate.db');
  closeSync(openSync(file, 'a', 0o600)); // made here, so that its mode and that of its companions is ours
  const writer = new SqliteThread({ file, role: 'write' });
  try {
    await migrateOnce(writer);
    await writer.catchUp(); // what a process that was killed had not brought into the tables
  } catch (error) {
    await writer.close();
    throw error;
  }

  const writing = new Mutex();
  const flush = new SqliteFlush(file);
  const health = new WriteHealth(writeFault);
  const written = new WrittenStatements();
  const runWrite = async (statement: string, parameters: readonly unknown[]): Promise<StatementAnswer> => {
    try {
      const answer = await writer.write(statement, parameters);
      if (answer.changes > 0n) flush.wrote(); // `commit` says what was changed before it
      if (written.hasWritten(statement, answer.changes)) health.succeeded();
      return answer;
    } catch (error) {
      throw health.failed(error);
    }
  };
  const writes = new Kysely<Tables>({
    dialect: sqliteThreadDialect({ statement: runWrite }, writing, 'begin immediate'),
  });
  const reader = new SqliteReads({ file, writer, writing });
  const reads = new Kysely<Tables>({ dialect: sqliteReadsDialect(reader) });
  const listReader = new SqliteLists(file);
  const runList = async (statement: string, parameters: readonly unknown[]): Promise<StatementAnswer> => {
    await writer.catchUp();
    return listReader.statement(statement, parameters);
  };
  const lists = new Kysely<Tables>({
    dialect: sqliteThreadDialect({ statement: runList }, new Mutex(), 'begin'),
  });
  const groupCommit = new GroupCommit({
    refuses: (error) => error instanceof SqliteError && error.refused,
    explain: writeFault,
    async commit(operations, options) {
      await writing.lock(); // an operator's transaction uses the same connection
      try {
        const results = await writer.ledger(operations, options);
        health.succeeded();
        flush.wrote();
        return results;
      } catch (error) {
        health.failed(error);
        throw error;
      } finally {
        writing.unlock();
      }
    },
  });

  return {
    dialect: 'sqlite',
    reads,
    lists,
    transaction: (work) => writes.transaction().execute(work),
    async rewrite(work) {
      const answer = await writes.transaction().execute(async (transaction) => {
        await sql`pragma secure_delete = on`.execute(transaction);
        return work(transaction);
      });
      await writing.lock();
      try {
        await writer.statement('pragma secure_delete = off', []);
        await writer.statement('pragma wal_checkpoint(truncate)', []);
      } finally {
        writing.unlock();
      }
      return answer;
    },
    commit: (operation) => groupCommit.submit(operation),
    now: async () => Math.floor(Date.now() / 1000),
    listen: () => undefined,
    async keepRequests(days, exported) {
      const before = Date.now() - days * 86_400_000;
      let hasMore = false;
      for (const kind of ID_KINDS) {
        const { least, below } = rangeBefore(kind, before);
        const { numDeletedRows } = await writes
          .deleteFrom('requests')
          .where('id', 'in', (rows) => {
            const old = rows.selectFrom('requests').select('id').where('id', '>=', least).where('id', '<', below);
            const known = exported === undefined ? old : old.where('change', '<=', exported);
            // The last number stays, so that none is given twice.
            return known
              .where(sql<SqlBool>`change is not ${lastChange}`)
              .orderBy('id')
              .limit(FORGET_AT_ONCE);
          })
          .executeTakeFirst();
        hasMore ||= numDeletedRows === BigInt(FORGET_AT_ONCE);
      }
      return hasMore;
    },
    // One writes after another: numbers are in the order of commits.
    async committedUpTo(table) {
      const last = table === 'ledger' ? sql`(select max(id) from ledger)` : lastChange;
      const { rows } = await sql<{ last: bigint | number | null }>`select ${last} as last`.execute(reads);
      return BigInt(rows[0]?.last ?? 0);
    },
    keepLedger: async () => false, // every entry stays
    async keepUsage(days) {
      const last = Date.now() / 1000 - days * 86_400 - 3600; // an hour goes when all of it is old
      const key = sql.raw(usageSumsByOutcome(sqliteWords).key);
      const { numAffectedRows } = await sql`delete from usage_sums where (${key}) in
        (select ${key} from usage_sums where bucket <= ${last} order by ${key} limit ${FORGET_AT_ONCE})`.execute(
        writes,
      );
      return numAffectedRows === BigInt(FORGET_AT_ONCE);
    },
    writeProblem: () => health.problem,
    async ping() {
      await Promise.all([sql`select 1`.execute(reads), writer.statement('select 1', [])]);
    },
    async close() {
      await groupCommit.idle();
      await writing.lock();
      listReader.close();
      await reader.close();
      await flush.close();
      await writer.close();
    },
  };
}

/** A thread that has ended takes no writes either. */
function writeFault(error: unknown): string | undefined {
  if (!(error instanceof SqliteError)) return 'the database does not answer';
  return error.refused ? undefined : (sqliteFault(error.errcode) ?? 'the disk of the database fails');
}

/** Which statement of a connection makes something durable. */
class WrittenStatements {
  #isInTransaction = false;
  #hasChanged = false;

  hasWritten(statement: string, changes: bigint): boolean {
    if (statement.startsWith('begin')) {
      this.#isInTransaction = true;
      this.#hasChanged = false;
      return false;
    }
    if (statement === 'commit' || statement === 'rollback') {
      this.#isInTransaction = false;
      return statement === 'commit' && this.#hasChanged;
    }
    const isChange = changes > 0n && !/^\s*(?:select|pragma)/i.test(statement);
    this.#hasChanged ||= isChange;
    return isChange && !this.#isInTransaction;
  }
}

async function migrateOnce(thread: SqliteThread): Promise<void> {
  await thread.statement('begin immediate', []);
  try {
    await migrate(
      {
        run: (statement) => thread.statement(statement, []),
        names: async (statement) => (await thread.statement(statement, [])).rows.map((row) => String(row['name'])),
      },
      sqliteWords,
      migrations,
    );
    await thread.statement('commit', []);
  } catch (error) {
    await thread.statement('rollback', []);
    throw error;
  }
}
