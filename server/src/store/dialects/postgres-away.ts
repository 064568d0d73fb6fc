// What to do about connections that PostgreSQL, or the way to it, does not answer on.
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What pg itself says. */
const SILENT = 'Query read timeout';
const AWAY_MESSAGES = new RegExp(`^(?:${SILENT}|Connection terminated|timeout exceeded when trying to connect)`);
/** Of the network, of the connection, of a server that stops or is full. */
const AWAY_CODES = /^(?:E(?!RR_)[A-Z_]{4,}$|08|57P|53300$)/;

/** Throws: callers whose question cannot be asked now are to come again. */
export function tellAway(error: unknown): never {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!AWAY_CODES.test(String(code)) && !AWAY_MESSAGES.test(String(message))) throw error;
  throw new GatewayError('overloaded', {
    message: 'The store cannot be reached. Retry shortly.',
    retryAfter: 2,
    cause: error,
  });
}

/** A connection on which a statement was not answered in time is not handed on: what follows would wait behind it. */
export function dropSilent(client: pg.PoolClient): PostgresPoolClient {
  let silent: Error | undefined;
  const query = async (sql: string, parameters: unknown[]): Promise<unknown> => {
    if (silent !== undefined) return tellAway(silent);
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      if (error instanceof Error && error.message === SILENT) silent = error;
      return tellAway(error);
    }
  };
  // Kysely would also hand over cursors, which nobody opens here.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(silent !== undefined),
  };
}
