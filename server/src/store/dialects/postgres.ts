// The fleet's store: a pool for reads and operators' transactions, one for lists, and one pipelined connection for the
// ledger, on which a whole batch costs three round trips.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { GroupCommit } from '../ledger/group-commit.ts';
import { migrations } from '../migrations/index.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import { openPostgresLists } from './postgres-lists.ts';
import { PostgresNotices } from './postgres-notices.ts';
import { keepRequestDays } from './postgres-request-log.ts';
import { postgresTypes, postgresWords } from './postgres-words.ts';

/** Any fixed number: processes that migrate at once queue here. */
const MIGRATION_LOCK = 7_261_930_114;
const STATEMENT_TIMEOUT_MS = 30_000;

export async function openPostgresStore(databaseUrl: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  // A connection that breaks is replaced, and the query under way on it reports the error: idle or in use, nobody else
  // needs to hear of it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await migrateOnce(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const lists = openPostgresLists(databaseUrl);
  const ledger = new PostgresLedger(databaseUrl);
  const groupCommit = new GroupCommit(ledger);

  const now = async (): Promise<number> => {
    const { rows } = await sql<{ now: number }>`select extract(epoch from now())::double precision as now`.execute(
      database,
    );
    return Math.floor(rows[0]?.now ?? 0);
  };

  return {
    dialect: 'postgres',
    now,
    listen: (onNotice) => new PostgresNotices(databaseUrl, 'changes', onNotice),
    async keepRequests(days) {
      await keepRequestDays(pool, { now: (await now()) * 1000, days });
      return false;
    },
    reads: database,
    lists,
    transaction: (work) => database.transaction().execute(work),
    commit: (operation) => groupCommit.submit(operation),
    async ping() {
      await sql`select 1`.execute(database);
    },
    async close() {
      await groupCommit.idle();
      await ledger.close();
      await lists.destroy();
      await database.destroy();
      if (!pool.ended) await pool.end(); // nobody has asked kysely anything, so it does not know of the pool
    },
  };
}

async function migrateOnce(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await migrate(
      {
        run: (statement) => client.query(statement),
        names: async (statement) => (await client.query<{ name: string }>(statement)).rows.map((row) => row.name),
      },
      postgresWords,
      migrations,
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
