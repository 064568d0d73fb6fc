// Keeps the days of the request log on PostgreSQL: makes those to come and drops the old ones, one process at a time.
import type pg from 'pg';
import { addPart, type DayPart, missingEnds, oldParts, readPartName } from './postgres-day-parts.ts';

const REQUESTS = { table: 'requests', prefix: 'req' };
/** Any fixed number: who finds it taken leaves the work to the other. */
export const DAYS_LOCK = 7_261_930_115;
const AHEAD_DAYS = 3;
/** Requests queue behind whoever waits for the table, so nobody waits long: the next round tries again. */
const LOCK_TIMEOUT_MS = 500;

export async function keepRequestDays(pool: pg.Pool, { now, days }: { now: number; days: number }): Promise<void> {
  const missing = (parts: DayPart[]): number[] => missingEnds(parts, { now, ahead: AHEAD_DAYS });
  for (const _ of missing(await listParts(pool))) {
    await changeAlone(pool, (parts) => {
      const [next] = missing(parts); // not the one that was missing before: another process may have come less far
      return next === undefined ? [] : addPart(REQUESTS, Math.max(...parts.map((part) => part.end)), next);
    });
  }
  for (const { name } of oldParts(await listParts(pool), { now, days })) {
    await changeAlone(pool, (parts) => (parts.some((part) => part.name === name) ? [`drop table ${name}`] : []));
  }
}

async function listParts(connection: pg.Pool | pg.PoolClient): Promise<DayPart[]> {
  const { rows } = await connection.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = '${REQUESTS.table}'::regclass order by c.relname`,
  );
  return rows.flatMap(({ name }) => readPartName(REQUESTS.table, name) ?? []);
}

/** What another process has done meanwhile is seen, and not done again. */
async function changeAlone(pool: pg.Pool, statementsOf: (parts: DayPart[]) => string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${DAYS_LOCK}) as mine`);
    if (rows[0]?.mine === true)
      for (const statement of statementsOf(await listParts(client))) await client.query(statement);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
