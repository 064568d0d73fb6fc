// Keeps the partitions of a table divided by time: makes those to come and drops the old, one process at a time.
import type pg from 'pg';
import type { Partitioning } from '../migrations/migration.ts';
import {
  addPartition,
  dropPartition,
  endOfOld,
  forgetRest,
  missingEnds,
  readPartitionName,
  type Partition,
  youngRows,
} from './time-partitions.ts';

/** Any fixed numbers: who finds one taken leaves the work on that table to the other. */
export const PARTITION_LOCKS: Record<Partitioning['table'], number> = {
  requests: 7_261_930_115,
  usage_sums: 7_261_930_116,
};
const AHEAD = 3;
/** Requests queue behind a waiting lock of the table, so the wait is short: the next round tries again. */
const LOCK_TIMEOUT_MS = 500;

export async function keepPartitions(
  pool: pg.Pool,
  table: Partitioning,
  { now, days, exported }: { now: number; days: number; exported?: bigint | undefined },
): Promise<void> {
  const missing = (partitions: Partition[]): number[] => missingEnds(table, partitions, { now, ahead: AHEAD });
  for (const _ of missing(await listPartitions(pool, table))) {
    await changeAlone(pool, table, (partitions) => {
      const [next] = missing(partitions); // not the one that was missing before: another process may have come less far
      return next === undefined ? [] : addPartition(table, Math.max(...partitions.map(({ end }) => end)), next);
    });
  }
  const before = endOfOld(table, { now, days });
  for (const { name, end } of await listPartitions(pool, table)) {
    if (end > before || (await isAwaited(pool, { name, exported, young: youngRows(table, before) }))) continue;
    await changeAlone(pool, table, (partitions) =>
      partitions.some((partition) => partition.name === name) ? dropPartition(table, name, before) : [],
    );
  }
  await pool.query(`${forgetRest(table, before)}${exported === undefined ? '' : ` and change <= ${exported}`}`);
}

/** Has it lines that a sink of the export does not have yet? */
async function isAwaited(
  pool: pg.Pool,
  { name, exported, young }: { name: string; exported: bigint | undefined; young: string | undefined },
): Promise<boolean> {
  if (exported === undefined) return false;
  const isNumbered = exported < 0n ? '' : ' and change > 0'; // the condition of the index
  const isOld = young === undefined ? '' : ` and not (${young})`;
  const { rows } = await pool.query(`select from ${name} where change > ${exported}${isNumbered}${isOld} limit 1`);
  return rows.length > 0;
}

async function listPartitions(connection: pg.Pool | pg.PoolClient, { table }: Partitioning): Promise<Partition[]> {
  const { rows } = await connection.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = '${table}'::regclass order by c.relname`,
  );
  return rows.flatMap(({ name }) => readPartitionName(table, name) ?? []);
}

/** What another process has done meanwhile is seen, and not done again. */
async function changeAlone(
  pool: pg.Pool,
  table: Partitioning,
  statementsOf: (partitions: Partition[]) => string[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(${PARTITION_LOCKS[table.table]}) as mine`,
    );
    if (rows[0]?.mine === true)
      for (const statement of statementsOf(await listPartitions(client, table))) await client.query(statement);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
