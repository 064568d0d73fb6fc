// Keeps the parts of a table that is divided by time: makes those to come and drops the old ones, one process at a time.
import type pg from 'pg';
import type { TimeParts } from '../migrations/migration.ts';
import { addPart, endOfOld, forgetRest, missingEnds, readPartName, type TimePart } from './time-partitions.ts';

/** Any fixed numbers: who finds one taken leaves the work on that table to the other. */
export const PARTS_LOCKS: Record<TimeParts['table'], number> = { requests: 7_261_930_115, usage_sums: 7_261_930_116 };
const AHEAD = 3;
/** Requests queue behind a waiting lock of the table, so the wait is short: the next round tries again. */
const LOCK_TIMEOUT_MS = 500;

export async function keepParts(
  pool: pg.Pool,
  table: TimeParts,
  { now, days }: { now: number; days: number },
): Promise<void> {
  const missing = (parts: TimePart[]): number[] => missingEnds(table, parts, { now, ahead: AHEAD });
  for (const _ of missing(await listParts(pool, table))) {
    await changeAlone(pool, table, (parts) => {
      const [next] = missing(parts); // not the one that was missing before: another process may have come less far
      return next === undefined ? [] : addPart(table, Math.max(...parts.map((part) => part.end)), next);
    });
  }
  const before = endOfOld(table, { now, days });
  for (const { name, end } of await listParts(pool, table)) {
    if (end > before) continue;
    await changeAlone(pool, table, (parts) => (parts.some((part) => part.name === name) ? [`drop table ${name}`] : []));
  }
  await pool.query(forgetRest(table, before));
}

async function listParts(connection: pg.Pool | pg.PoolClient, { table }: TimeParts): Promise<TimePart[]> {
  const { rows } = await connection.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = '${table}'::regclass order by c.relname`,
  );
  return rows.flatMap(({ name }) => readPartName(table, name) ?? []);
}

/** What another process has done meanwhile is seen, and not done again. */
async function changeAlone(
  pool: pg.Pool,
  table: TimeParts,
  statementsOf: (parts: TimePart[]) => string[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(${PARTS_LOCKS[table.table]}) as mine`,
    );
    if (rows[0]?.mine === true)
      for (const statement of statementsOf(await listParts(client, table))) await client.query(statement);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
