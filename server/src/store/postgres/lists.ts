// Connections for lists alone, whose statements the server itself ends after a second: they take neither the time nor the
// connections of lookups.
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { LIST_LIMIT_MS, listTooSlow } from '../list-too-slow.ts';
import type { Tables } from '../tables.ts';
import { dropSilent, tellAway } from './away.ts';
import { postgresTypes } from './sql-fragments.ts';

/** `query_canceled`, which nobody but the limit does here. */
const TOO_LONG = '57014';
const CONNECTIONS = 3;

export function openPostgresLists(databaseUrl: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    statement_timeout: LIST_LIMIT_MS,
    query_timeout: 5 * LIST_LIMIT_MS,
    keepAlive: true,
  });
  pool.on('error', () => {}); // replaced; the query under way reports it
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => explainLimit(dropSilent(await pool.connect().catch(tellAway))),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
}

function explainLimit(client: PostgresPoolClient): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      throw (error as { code?: string }).code === TOO_LONG ? listTooSlow(error) : error;
    }
  };
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
}
