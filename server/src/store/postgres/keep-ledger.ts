// Keeps the partitions of the ledger: makes those to come, and drops old ones whose entries every sink of the export has. One
// process at a time, each change in one transaction: a process that is killed leaves what was there before.
import pg from 'pg';
import { wait } from '../../shared/wait.ts';
import { carryForward } from './carry-ledger.ts';
import {
  addRest,
  attachPartition,
  CARRIED,
  createPartition,
  LEAST_IDS,
  type LedgerPace,
  type LedgerPartition,
  listLedgerPartitions,
  nameOfLedgerPartition,
  nextEnd,
} from './ledger-partitions.ts';
import { postgresTypes } from './sql-fragments.ts';

/** Any fixed number: who finds it taken leaves the work to the other. */
const LEDGER_LOCK = 7_261_930_117;
/** Holds queue behind a waiting lock of the table, so the wait is short, and there are pauses between the tries. */
const [LOCK_TIMEOUT_MS, LOCK_PAUSE_MS, LOCK_TRIES] = [500, 2_000, 15];
const LOCK_NOT_AVAILABLE = '55P03';
const MOST_MADE = 10;
const DAY_SECONDS = 86_400;
/** Entries lie in the order of their ids, and in that of their times but for so much. */
const SLACK_SECONDS = 3_600;

export interface LedgerKeeping {
  /** Entries older than this are dropped; undefined: none ever is. */
  days: number | undefined;
  /** Up to this id every sink of the export has them; undefined: there is no sink. */
  exported: bigint | undefined;
  /** Ids of a partition, at least. */
  leastIds?: bigint;
}

/** On a connection of its own, because adding up a month of entries may take minutes. True when there is more to drop. */
export async function keepLedger(databaseUrl: string, keeping: LedgerKeeping): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    types: postgresTypes,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => {}); // the statement under way reports it
  await client.connect();
  try {
    for (let made = 0; made < MOST_MADE && (await addMissing(client, keeping)); made++);
    return await dropOldest(client, keeping);
  } finally {
    await client.end();
  }
}

async function addMissing(client: pg.Client, { leastIds = LEAST_IDS }: LedgerKeeping): Promise<boolean> {
  const next = async () => nextEnd(await listLedgerPartitions(client), await readPace(client), leastIds);
  if ((await next()) === undefined) return false;
  return alone(client, async () => {
    const end = await next(); // another process may have been faster
    const partitions = await listLedgerPartitions(client);
    if (end === undefined) return false;
    const partition = { name: nameOfLedgerPartition(end), start: partitions.at(-1)?.end ?? 0n, end };
    await lockTable(client, 'ledger_rest');
    const { rows } = await client.query('select from ledger_rest limit 1');
    await run(client, rows.length === 0 ? emptyPartition(partition) : ofRest(partition));
    return true;
  });
}

function emptyPartition(partition: LedgerPartition): string[] {
  return [...createPartition(partition.name), attachPartition(partition)];
}

/** What came into the rest because the partition was late stays where it is: the rest becomes the partition. */
function ofRest(partition: LedgerPartition): string[] {
  return [
    'alter table ledger detach partition ledger_rest',
    `alter table ledger_rest rename to ${partition.name}`,
    attachPartition(partition),
    ...addRest(),
  ];
}

async function readPace(client: pg.Client): Promise<LedgerPace> {
  const { rows } = await client.query<{ last: bigint | null; now: number }>(
    `select pg_sequence_last_value('ledger_ids') as last, extract(epoch from now())::double precision as now`,
  );
  const { last = null, now = 0 } = rows[0] ?? {};
  const partitions = await listLedgerPartitions(client);
  const current = partitions.find(({ start, end }) => start <= (last ?? 0n) && (last ?? 0n) < end);
  const first = await client.query<{ id: bigint; at: number }>(
    `select id, created_at as at from ${current?.name ?? 'ledger_rest'} order by id limit 1`,
  );
  return { last: last ?? 0n, now, first: first.rows[0] };
}

/** Drops one partition, or none. */
async function dropOldest(client: pg.Client, { days, exported }: LedgerKeeping): Promise<boolean> {
  if (days === undefined || exported === undefined) return false;
  const findOld = async (): Promise<LedgerPartition[]> => {
    const [first, second] = await listLedgerPartitions(client);
    const old = [first, ...(first?.name === CARRIED ? [second] : [])].filter((one) => one !== undefined);
    return (await isOld(client, old.at(-1), { days, exported })) ? old : [];
  };
  if ((await findOld()).every(({ name }) => name === CARRIED)) return false;
  return alone(client, async () => {
    const old = await findOld();
    const end = old.at(-1)?.end;
    if (end === undefined || old.every(({ name }) => name === CARRIED)) return false;
    await replace(client, old, end);
    return true;
  });
}

async function isOld(
  client: pg.Client,
  partition: LedgerPartition | undefined,
  { days, exported }: { days: number; exported: bigint },
): Promise<boolean> {
  if (partition === undefined || exported < partition.end - 1n) return false;
  const { last, now } = await readPace(client);
  if (last < partition.end) return false; // it is being filled
  const { rows } = await client.query<{ at: number | null }>(
    `select max(created_at) as at from (select created_at from ${partition.name} order by id desc limit 1) as newest`,
  );
  return (rows[0]?.at ?? 0) < now - days * DAY_SECONDS - SLACK_SECONDS;
}

/** The sums are made before the table is locked: only the exchange keeps holds waiting. */
async function replace(client: pg.Client, old: readonly LedgerPartition[], end: bigint): Promise<void> {
  const carrying = await carryForward(client, old, end);
  await lockTable(client, 'ledger');
  for (const { name } of old) await run(client, [`alter table ledger detach partition ${name}`, `drop table ${name}`]);
  await run(client, [
    `alter table ${carrying} rename to ${CARRIED}`,
    attachPartition({ name: CARRIED, start: 0n, end }),
  ]);
}

async function run(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** In a transaction that no second process is in; false where another is. */
async function alone(client: pg.Client, work: () => Promise<boolean>): Promise<boolean> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${LEDGER_LOCK}) as mine`);
    const done = rows[0]?.mine === true && (await work());
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function lockTable(client: pg.Client, table: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('savepoint unlocked');
    try {
      await client.query(`lock table ${table} in access exclusive mode`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries >= LOCK_TRIES) throw error;
      await client.query('rollback to savepoint unlocked');
      await wait(LOCK_PAUSE_MS);
    }
  }
}
