// Connections to PostgreSQL: what to do where it does not answer, and what it cannot be asked.
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { WriteHealth } from '../write-health.ts';

/** What pg itself says. */
const SILENT = 'Query read timeout';
const AWAY_MESSAGES = new RegExp(`^(?:${SILENT}|Connection terminated|timeout exceeded when trying to connect)`);
/** Of the network, of the connection, of a server that stops or is full. */
const AWAY_CODES = /^(?:E(?!RR_)[A-Z_]{4,}$|08|57P|53300$)/;

/** Why the server takes no writes now; it may answer reads all the same. */
const WRITE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['25006', 'the database is read-only'],
  ['53100', 'the disk of the database is full'],
  ['53200', 'the database is out of memory'],
  ['58030', 'the disk of the database fails'],
]);

/** undefined when the server is away, or what it was asked is at fault. */
export function postgresFault(error: unknown): string | undefined {
  return WRITE_FAULTS.get(String((error as { code?: unknown }).code));
}

function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return AWAY_CODES.test(String(code)) || AWAY_MESSAGES.test(String(message));
}

/** Throws: callers whose question cannot be asked now are to come again. */
export function throwUnreachable(error: unknown): never {
  if (!isAway(error)) throw error;
  throw new GatewayError('overloaded', {
    message: 'The store cannot be reached. Retry shortly.',
    retryAfter: 2,
    cause: error,
  });
}

/** PostgreSQL keeps no text with it, so nothing has such an id: who asks for one finds nothing, as on SQLite. */
function withoutNul(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * A connection on which a statement was not answered in time is not handed on: what follows would wait behind it. What
 * becomes of writes is noted in `health`, where it is given.
 */
export function dropSilent(client: pg.PoolClient, health?: WriteHealth): PostgresPoolClient {
  let silent: Error | undefined;
  let hasChanged = false;
  const query = async (sql: string, parameters: unknown[]): Promise<unknown> => {
    if (silent !== undefined) return throwUnreachable(silent);
    try {
      const result = await client.query(sql, parameters.map(withoutNul));
      if (CHANGES.has(result.command)) hasChanged = true;
      else if (result.command === 'COMMIT' && hasChanged) health?.succeeded();
      return result;
    } catch (error) {
      if (error instanceof Error && error.message === SILENT) silent = error;
      if (health !== undefined && postgresFault(error) !== undefined) throw health.failed(error);
      return throwUnreachable(error);
    }
  };
  // Kysely would also hand over cursors, which nobody opens here.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(silent !== undefined),
  };
}
