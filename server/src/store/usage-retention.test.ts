// Usage is kept for its days, and on PostgreSQL retention is a drop, not a delete (issue 8).
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { makeOrderedId } from '../shared/ids.ts';
import { wait } from '../shared/wait.ts';
import { requestRow } from '../testing/fixtures.ts';
import { onEveryStore, onEveryStoreSettings } from '../testing/stores.ts';
import { keepPartitions, PARTITION_LOCKS } from './postgres/keep-partitions.ts';
import { postgresWords } from './postgres/sql-fragments.ts';
import { sqliteWords } from './sqlite/sql-fragments.ts';
import { usageByMonth } from './migrations/0071-usage-partitions.ts';
import { migrations } from './migrations/index.ts';
import { openStore, type StoreSettings } from './open-store.ts';
import type { Store } from './store.ts';

const HOUR = 3600;
const DAY = 86_400;
const now = (): number => Math.floor(Date.now() / 1000);

/** First second of this month, or of one that many later. */
function month(later = 0): number {
  const date = new Date();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / 1000;
}

const monthName = (later: number): string =>
  `usage_sums_until_${new Date(month(later) * 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** One line of the log at each of these seconds, with a charge of 5. */
async function count(store: Store, ...times: number[]): Promise<void> {
  const rows = times.map((time) =>
    requestRow({ id: makeOrderedId('req', Date.now()), created_at: time, charge: 5n, usage: '{"input_tokens":3}' }),
  );
  await Promise.all(rows.map((request) => store.commit({ kind: 'log', request })));
}

/** Hours and how many requests each has. */
async function counted(store: Store): Promise<[number, number][]> {
  const rows = await store.reads.selectFrom('usage_sums').select(['bucket', 'requests']).orderBy('bucket').execute();
  return rows.map(({ bucket, requests }) => [bucket, Number(requests)]);
}

const hourOf = (time: number): number => Math.floor(time / HOUR) * HOUR;
const quarterOf = (time: number): number => Math.floor(time / 900) * 900;

onEveryStore((open, dialect) => {
  test('lines of any month are counted in their quarter of an hour, once, whatever part it lies in', async () => {
    const store = await open();
    const times = [month(-30), month() - 1, month(), month(1) - 1, month(1), month(4), month(400)];
    await count(store, ...times);
    await store.keepUsage(36_500);
    await count(store, ...times, ...times);
    assert.deepEqual(
      await counted(store),
      times.map((time) => [quarterOf(time), 3]),
    );
  });

  if (dialect !== 'sqlite') return;

  test('SQLite forgets hours that are old as a whole, in small steps', async () => {
    const store = await open();
    const limit = now() - 10 * DAY;
    const young = [hourOf(limit + 60), hourOf(now())]; // a minute, should the hour end meanwhile
    const old = Array.from({ length: 450 }, (_, index) => hourOf(limit) - (index + 1) * HOUR);
    await count(store, ...young, ...old);
    const steps: number[] = [];
    let more = true;
    while (more) {
      more = await store.keepUsage(10);
      steps.push((await counted(store)).length);
    }
    assert.deepEqual(steps, [252, 52, 2]);
    assert.deepEqual(
      (await counted(store)).map(([bucket]) => bucket),
      young,
    );
  });
});

onEveryStoreSettings((makeSettings, dialect, atEnd) => {
  test('sums that were there before the table was divided stay exact, also those that no month fits', async () => {
    const settings = await makeSettings();
    const times = [month(-14) + 1, month() - 1, month(), now(), month(1) - 1, month(1), month(7)];
    // By hour, as they were summed until migration 0118.
    const read = `select floor(bucket / 3600) * 3600 as bucket, token_id, cast(sum(requests) as text) as requests,
      cast(sum(amount) as text) as amount from usage_sums group by 1, 2 order by 1, 2`;
    const before = await runAll(settings, [...statementsBefore('0071', dialect), ...times.map(insertRow), read]);
    assert.equal(before.length, times.length);
    const store = await openStore(settings);
    atEnd(() => store.close());
    assert.deepEqual(await runAll(settings, [read]), before);
    await store.keepUsage(1095);
    assert.deepEqual(await runAll(settings, [read]), before, 'and months that are made later change nothing');
    await runAll(
      settings,
      times.map((time, index) => insertRow(time, index + times.length)),
    );
    const twice = (row: Record<string, unknown>) => [
      row['bucket'],
      2 * Number(row['requests']),
      2 * Number(row['amount']),
    ];
    const all = await runAll(settings, [read]);
    assert.deepEqual(
      all.map((row) => [row['bucket'], Number(row['requests']), Number(row['amount'])]),
      before.map(twice),
    );
  });

  if (dialect !== 'postgres') return;

  /** A store with its own database, a pool beside it, and a client that may hold what others wait for. */
  async function openWithPool(): Promise<{ settings: StoreSettings; store: Store; pool: pg.Pool; other: pg.Client }> {
    const settings = await makeSettings();
    const store = await openStore(settings);
    atEnd(() => store.close());
    const pool = new pg.Pool({ connectionString: settings.databaseUrl });
    atEnd(() => pool.end());
    const other = new pg.Client({ connectionString: settings.databaseUrl });
    await other.connect();
    atEnd(() => other.end());
    return { settings, store, pool, other };
  }

  async function partitionsOf(pool: pg.Pool): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_sums'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  }

  const rowsIn = async (pool: pg.Pool, part: string): Promise<number> =>
    (await pool.query(`select from ${part}`)).rowCount ?? Number.NaN;

  const READY = ['usage_sums_rest', ...[1, 2, 3, 4].map(monthName)];

  test('a month that comes late takes its rows from the rest, also when two processes make it at once', async () => {
    const { settings, store, pool } = await openWithPool();
    assert.deepEqual(await partitionsOf(pool), ['usage_sums_rest', monthName(1)]);
    const times = [month(), month(1) - 1, month(1), month(2) - 1, month(2), month(9)];
    await count(store, ...times);
    assert.deepEqual([await rowsIn(pool, monthName(1)), await rowsIn(pool, 'usage_sums_rest')], [2, 4]);
    const sums = await counted(store);
    const other = await openStore(settings);
    await Promise.all([store.keepUsage(1095), other.keepUsage(1095)]);
    await other.close();
    await store.keepUsage(1095);
    assert.deepEqual(await partitionsOf(pool), READY);
    assert.deepEqual(await Promise.all(READY.map((part) => rowsIn(pool, part))), [1, 2, 2, 1, 0]);
    assert.deepEqual(await counted(store), sums);
    await count(store, month(3));
    assert.equal(await rowsIn(pool, monthName(4)), 1, 'new rows go into the month itself');
  });

  test('who finds another process at the months leaves them to it, and does the rest of its round', async () => {
    const { pool, other } = await openWithPool();
    await other.query(`select pg_advisory_lock(${PARTITION_LOCKS.usage_sums})`);
    let tries = 0;
    const connect = async (): Promise<pg.PoolClient> => {
      if (++tries === 3) await other.query(`select pg_advisory_unlock(${PARTITION_LOCKS.usage_sums})`);
      return pool.connect();
    };
    const request = { now: Date.now(), days: 1095 };
    await keepPartitions({ query: pool.query.bind(pool), connect } as unknown as pg.Pool, usageByMonth, request);
    assert.deepEqual(await partitionsOf(pool), READY.slice(0, 3), 'two were left to the other');
    await keepPartitions(pool, usageByMonth, request);
    assert.deepEqual(await partitionsOf(pool), READY);
  });

  test('rows that come into the rest while their month is made go there too', async () => {
    const { store, pool, other } = await openWithPool();
    await count(store, month(1));
    await other.query('begin');
    await other.query(insertRow(month(1), 1));
    await other.query(insertRow(month(1) + HOUR, 2));
    const kept = store.keepUsage(1095);
    await wait(200); // it waits for the other
    await other.query('commit');
    await kept;
    assert.deepEqual([await rowsIn(pool, monthName(2)), await rowsIn(pool, 'usage_sums_rest')], [3, 0]);
  });

  test('an old month is dropped as a whole and no row of it deleted; the rest loses what is as old', async () => {
    const { store, pool } = await openWithPool();
    await store.keepUsage(1095);
    const [old, kept] = [month(1), month(2)];
    await count(store, now(), old, kept);
    await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'deleted'; end $$`);
    await pool.query(`create trigger refuse before delete on ${monthName(1)} for each row execute function refuse()`);
    const in10Days = (month(2) + 10 * DAY) * 1000;
    await keepPartitions(pool, usageByMonth, { now: in10Days, days: 11 });
    assert.deepEqual(
      (await partitionsOf(pool)).slice(0, 2),
      ['usage_sums_rest', monthName(2)],
      'not before its time is over',
    );
    assert.deepEqual(await counted(store), [
      [old, 1],
      [kept, 1],
    ]);
    await count(store, now()); // its month is gone
    assert.equal(await rowsIn(pool, 'usage_sums_rest'), 1);
    await keepPartitions(pool, usageByMonth, { now: in10Days, days: 10 });
    assert.deepEqual(await counted(store), [[kept, 1]]);
    assert.deepEqual((await partitionsOf(pool)).slice(0, 2), ['usage_sums_rest', monthName(3)]);
  });

  test('after a long sleep the months that nobody made are one part, and what came in them is there', async () => {
    const { store, pool } = await openWithPool();
    const times = [month(2), month(5), month(6)];
    await count(store, ...times);
    await keepPartitions(pool, usageByMonth, { now: month(6) * 1000, days: 1095 });
    assert.deepEqual(await partitionsOf(pool), ['usage_sums_rest', ...[1, 7, 8, 9, 10].map(monthName)]);
    assert.deepEqual([await rowsIn(pool, monthName(7)), await rowsIn(pool, 'usage_sums_rest')], [3, 0]);
  });
});

const insertRow = (time: number, index: number): string =>
  `insert into requests (id, account_id, token_id, group_name, endpoint, status, attempts, total_ms, charge, mode, created_at)
   values ('${makeOrderedId('req', Date.now() + index)}', 'acc', 'tok_${time}', 'default', '/v1/x', 200, '[]', 1, 5, 'live', ${time})`;

/** What makes a database of the version before a migration. */
function statementsBefore(name: string, dialect: Store['dialect']): string[] {
  const words = dialect === 'sqlite' ? sqliteWords : postgresWords;
  return [
    'create table migrations (name text primary key, position integer not null)',
    ...migrations
      .filter((migration) => migration.name < name)
      .flatMap((migration, position) => [
        ...migration.statements(words),
        `insert into migrations (name, position) values ('${migration.name}', ${position})`,
      ]),
  ];
}

/** Rows of the last statement. */
async function runAll({ databaseUrl, dataFolder }: StoreSettings, statements: string[]) {
  let rows: Record<string, unknown>[] = [];
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(`${dataFolder}/tollgate.db`);
    for (const statement of statements)
      if (statement.startsWith('select')) rows = database.prepare(statement).all();
      else database.exec(statement);
    database.close();
    return rows;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
  await client.end();
  return rows;
}
