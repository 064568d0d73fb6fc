// The fleet's store: a pool for reads and operators' transactions, one for lists, and one pipelined connection for the
// ledger, on which a batch of plain calls is one statement, and any other three round trips.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { GroupCommit } from '../ledger/group-commit.ts';
import { requestsByDay } from '../migrations/0040-request-partitions.ts';
import { usageByMonth } from '../migrations/0071-usage-partitions.ts';
import { migrations } from '../migrations/index.ts';
import { migrate, type MigrationConnection, requireMigrated } from '../migrations/migrate.ts';
import type { Partitioning } from '../migrations/migration.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { WriteHealth } from '../write-health.ts';
import { dropSilent, postgresFault, throwUnreachable } from './connection-fault.ts';
import { CommitFence } from './commit-fence.ts';
import { keepLedger } from './keep-ledger.ts';
import { keepPartitions } from './keep-partitions.ts';
import { PostgresLedger } from './ledger.ts';
import { type ListSources, openPostgresLists } from './lists.ts';
import { PostgresNotices } from './notices.ts';
import { postgresTypes, postgresWords } from './sql-fragments.ts';

/** Any fixed number: processes that migrate at once queue here. */
const MIGRATION_LOCK = 7_261_930_114;
const STATEMENT_TIMEOUT_MS = 30_000;

export interface PostgresDeadlines {
  /** A connection that says nothing to a statement for so long is dead, and nobody else gets it. */
  silentMs: number;
  /** A node that vanishes in the middle of a transaction keeps its rows from all others for so long. */
  idleTransactionMs: number;
}

const DEADLINES: PostgresDeadlines = { silentMs: STATEMENT_TIMEOUT_MS + 5_000, idleTransactionMs: 10_000 };

/** `existing`: refuses a database without our tables instead of making them. `readUrl`: a replica for lists. */
export async function openPostgresStore(
  databaseUrl: string,
  {
    existing = false,
    readUrl,
    replicaLimits,
    ...limits
  }: { existing?: boolean } & ListSources & Partial<PostgresDeadlines> = {},
): Promise<Store> {
  const deadlines = { ...DEADLINES, ...limits };
  await prepareOnce(databaseUrl, existing);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    // The books of ten million lines take as long as they take: a command waits for them, a gateway does not.
    ...(!existing && { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: deadlines.silentMs }),
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks is replaced, and the query under way on it reports the error: idle or in use, nobody else
  // needs to hear of it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const health = new WriteHealth((error) => postgresFault(error) ?? 'the database does not answer');
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => dropSilent(await pool.connect().catch(throwUnreachable), health),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
  const { lists, replica, close: closeLists } = openPostgresLists(databaseUrl, { readUrl, replicaLimits });
  const ledger = new PostgresLedger(databaseUrl, deadlines);
  const groupCommit = new GroupCommit({
    refuses: (error) => ledger.refuses(error),
    explain: postgresFault,
    async commit(operations, options) {
      try {
        const results = await ledger.commit(operations, options);
        health.succeeded();
        return results;
      } catch (error) {
        if (!ledger.refuses(error)) health.failed(error);
        throw error;
      }
    },
  });

  const now = async (): Promise<number> => {
    const { rows } = await sql<{ now: number }>`select extract(epoch from now())::double precision as now`.execute(
      database,
    );
    return Math.floor(rows[0]?.now ?? 0);
  };

  const keep = async (table: Partitioning, days: number, exported?: bigint): Promise<boolean> => {
    await keepPartitions(pool, table, { now: (await now()) * 1000, days, exported });
    return false;
  };
  const fences = {
    ledger: new CommitFence(pool, { table: 'ledger', column: 'id' }),
    requests: new CommitFence(pool, { table: 'requests', column: 'change' }),
  };

  return {
    dialect: 'postgres',
    now,
    listen: (onNotice) => new PostgresNotices(databaseUrl, 'changes', onNotice),
    keepRequests: (days, exported) => keep(requestsByDay, days, exported),
    keepLedger: (keeping) => keepLedger(databaseUrl, keeping),
    committedUpTo: (table) => fences[table].reached(),
    keepUsage: (days) => keep(usageByMonth, days),
    reads: database,
    lists,
    replica,
    transaction: (work) => database.transaction().execute(work),
    rewrite: (work) => database.transaction().execute(work),
    commit: (operation) => groupCommit.submit(operation),
    writeProblem: () => health.problem,
    async ping() {
      await sql`select 1`.execute(database);
    },
    async close() {
      await groupCommit.idle();
      await ledger.close();
      await closeLists();
      await database.destroy();
      if (!pool.ended) await pool.end(); // nobody has asked kysely anything, so it does not know of the pool
    },
  };
}

/** Without a limit on statements: an index over millions of lines takes as long as it takes. */
async function prepareOnce(databaseUrl: string, existing: boolean): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
  });
  client.on('error', () => {}); // the statement under way reports it
  await client.connect();
  const connection: MigrationConnection = {
    run: (statement) => client.query(statement),
    names: async (statement) => (await client.query<{ name: string }>(statement)).rows.map((row) => row.name),
  };
  try {
    if (existing) {
      await requireMigrated(connection, migrations);
      return;
    }
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await migrate(connection, postgresWords, migrations);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
