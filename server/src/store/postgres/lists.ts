// Connections for lists alone, whose statements the server itself ends after a second: they take neither the time nor the
// connections of lookups. With a replica they are read from there, and from the primary while that cannot be.
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { LIST_LIMIT_MS, listTooSlow } from '../list-too-slow.ts';
import type { Tables } from '../tables.ts';
import { dropSilent, throwUnreachable } from './connection-fault.ts';
import { ReadReplica, type ReplicaLimits } from './replica.ts';
import { postgresTypes } from './sql-fragments.ts';

/** `query_canceled`, which nobody but the limit does here. */
const TOO_LONG = '57014';
const CONNECTIONS = 3;

export interface PostgresLists {
  lists: Kysely<Tables>;
  replica: ReadReplica | undefined;
  close(): Promise<void>;
}

export interface ListSources {
  /** Of a replica. */
  readUrl?: string | undefined;
  replicaLimits?: Partial<ReplicaLimits> | undefined;
}

export function openPostgresLists(databaseUrl: string, { readUrl, replicaLimits }: ListSources): PostgresLists {
  const pool = openPool(databaseUrl);
  const ofPrimary = async (): Promise<PostgresPoolClient> =>
    explainLimit(dropSilent(await pool.connect().catch(throwUnreachable)));
  const replica =
    readUrl === undefined ? undefined : new ReadReplica({ primary: pool, replica: openPool(readUrl) }, replicaLimits);
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await replica?.connect();
    return replica === undefined || client === undefined ? ofPrimary() : orPrimary(client, replica, ofPrimary);
  };
  const lists = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
  });
  return {
    lists,
    replica,
    async close() {
      await replica?.close();
      await lists.destroy();
      if (!pool.ended) await pool.end(); // nobody has asked for a list, so kysely does not know of the pool
    },
  };
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    statement_timeout: LIST_LIMIT_MS,
    query_timeout: 5 * LIST_LIMIT_MS,
    keepAlive: true,
  });
  pool.on('error', () => {}); // replaced; the query under way reports it
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
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

/** A statement that a replica does not answer is put to the primary: what is wrong with it is wrong there as well. */
function orPrimary(
  client: pg.PoolClient,
  replica: ReadReplica,
  ofPrimary: () => Promise<PostgresPoolClient>,
): PostgresPoolClient {
  let other: PostgresPoolClient | undefined;
  let isBroken = false;
  const query = async (sql: string, parameters: unknown[]): Promise<unknown> => {
    if (!isBroken) {
      try {
        return await client.query(sql, parameters);
      } catch (error) {
        if ((error as { code?: string }).code === TOO_LONG) throw listTooSlow(error);
        if (!isRefusal(error)) {
          isBroken = true;
          replica.failed(error);
        }
      }
    }
    other ??= await ofPrimary();
    return other.query(sql, parameters);
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      client.release(isBroken);
      other?.release();
    },
  };
}

/** Of the statement, or because it was in the way of what is replayed: the connection lives on. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[234][0-9A-Z]{4}$/.test(code);
}
