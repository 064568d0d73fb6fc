import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { firstIdAt, makeOrderedId } from '../shared/ids.ts';
import { wait } from '../shared/wait.ts';
import { requestRow } from '../testing/fixtures.ts';
import { onEveryStore, onEveryStoreSettings } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { keepPartitions, PARTITION_LOCKS } from './postgres/keep-partitions.ts';
import { postgresWords } from './postgres/sql-fragments.ts';
import { sqliteWords } from './sqlite/sql-fragments.ts';
import { requestsByDay } from './migrations/0040-request-partitions.ts';
import { migrations } from './migrations/index.ts';
import { findRequest, listRequests } from './queries/requests.ts';
import { Retention } from './retention.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

const DAY_MS = 86_400_000;

async function log(store: Store, ...ids: string[]): Promise<void> {
  await Promise.all(ids.map((id) => store.commit({ kind: 'log', request: requestRow({ id }) })));
}

const daysAgo = (days: number): string => makeOrderedId('req', Date.now() - days * DAY_MS);

/** The id of a batch has the time of its submit. */
const batchLineOf = (kind: string, days: number): string => `${makeOrderedId(kind, Date.now() - days * DAY_MS)}/line`;

async function listedIds(store: Store): Promise<string[]> {
  return (await listRequests(store.reads, { limit: 10_000 })).map(({ id }) => id);
}

async function keepAll(store: Store, days: number): Promise<void> {
  while (await store.keepRequests(days)) await wait(0);
}

onEveryStore((open, dialect) => {
  test('lines of any age are taken, found by id and listed newest first, whatever day they belong to', async () => {
    const store = await open();
    await keepAll(store, 90);
    const ids = [daysAgo(-400), daysAgo(-1), daysAgo(0), daysAgo(1), daysAgo(400), 'req_0'];
    await log(store, ...ids);
    await log(store, ...ids); // the second time changes nothing
    assert.deepEqual(await listedIds(store), ids);
    for (const id of ids) assert.equal((await findRequest(store.reads, id))?.id, id);
  });

  test('a round forgets what is older than the days, in steps, and keeps the rest', async (t: TestContext) => {
    const store = await open();
    const old = Array.from({ length: 450 }, () => daysAgo(20));
    const young = [batchLineOf('batch', 8), batchLineOf('msgbatch', 0), daysAgo(8), daysAgo(0)];
    if (dialect === 'sqlite') await log(store, ...old, batchLineOf('batch', 12), batchLineOf('msgbatch', 20));
    await log(store, ...young);
    const errors: unknown[] = [];
    const retention = new Retention({ step: () => store.keepRequests(10), onError: (error) => errors.push(error) });
    retention.start();
    t.after(() => retention.stop());
    await waitUntil(async () => (await listedIds(store)).length <= young.length, 'old lines are kept');
    assert.deepEqual((await listedIds(store)).sort(), young);
    assert.deepEqual(errors, []);
  });
});

onEveryStoreSettings((makeSettings, dialect, atEnd) => {
  test('lines that were there before the table was divided stay, also those that no day fits', async () => {
    const settings = await makeSettings();
    const before = migrations.filter(({ name }) => name < '0040');
    const ids = [daysAgo(30), daysAgo(0), makeOrderedId('req', Date.now() + 5 * DAY_MS), 'zzz'];
    const insert = (id: string): string =>
      `insert into requests (id, account_id, token_id, group_name, endpoint, status, attempts, total_ms, charge, mode, created_at)
       values ('${id}', 'acc', 'tok', 'default', '/v1/x', 200, '[]', 1, 5, 'live', 1)`;
    const words = dialect === 'sqlite' ? sqliteWords : postgresWords;
    const statements = [
      'create table migrations (name text primary key, position integer not null)',
      ...before.flatMap((migration, position) => [
        ...migration.statements(words),
        `insert into migrations (name, position) values ('${migration.name}', ${position})`,
      ]),
      ...ids.map(insert),
    ];
    await runAll(settings, statements);
    const store = await openStore(settings);
    atEnd(() => store.close());
    await keepAll(store, 90);
    await log(store, makeOrderedId('req', Date.now() + DAY_MS));
    assert.equal((await listedIds(store)).length, 5);
    for (const id of ids) assert.equal((await findRequest(store.reads, id))?.charge, 5n);
    const row = await findRequest(store.reads, ids[0] ?? '');
    await store.commit({ kind: 'log', request: { ...requestRow({ id: ids[0] ?? '' }), charge: 9n } });
    assert.deepEqual(await findRequest(store.reads, ids[0] ?? ''), row, 'a line is written once, in its own part');
  });

  if (dialect !== 'postgres') return;

  test('every day gets a part of its own, also when another process is at it', async () => {
    const settings = await makeSettings();
    const store = await openStore(settings);
    atEnd(() => store.close());
    const pool = new pg.Pool({ connectionString: settings.databaseUrl });
    const other = await pool.connect();
    atEnd(async () => {
      other.release();
      await pool.end();
    });
    await other.query(`select pg_advisory_lock(${PARTITION_LOCKS.requests})`);
    let tries = 0;
    const connect = async (): Promise<pg.PoolClient> => {
      if (++tries === 3) await other.query(`select pg_advisory_unlock(${PARTITION_LOCKS.requests})`);
      return pool.connect();
    };
    const request = { now: Date.now(), days: 90 };
    await keepPartitions({ query: pool.query.bind(pool), connect } as unknown as pg.Pool, requestsByDay, request);
    await keepPartitions(pool, requestsByDay, request);
    const { rows } = await pool.query(`select from pg_inherits where inhparent = 'requests'::regclass`);
    assert.equal(rows.length, 5, 'the first, three days ahead, and the rest');
  });

  test('a day that is over is dropped as a whole, days to come are ready, and late lines move into their day', async () => {
    const settings = await makeSettings();
    const store = await openStore(settings);
    atEnd(() => store.close());
    const client = new pg.Client({ connectionString: settings.databaseUrl });
    await client.connect();
    atEnd(() => client.end());
    const partitions = async (): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'requests'::regclass order by 1`,
      );
      return rows.map(({ name }) => name);
    };
    const [tomorrow, later] = [daysAgo(-1), daysAgo(-2)];
    await log(store, tomorrow, later);
    const count = async (part: string): Promise<number> =>
      (await client.query(`select id from ${part}`)).rowCount ?? Number.NaN;
    assert.equal(await count('requests_rest'), 2);
    // As two processes do at once.
    const other = await openStore(settings);
    await Promise.all([keepAll(store, 90), keepAll(other, 90)]);
    await other.close();
    await keepAll(store, 90);
    assert.equal((await partitions()).length, 5, 'the first, three days ahead, and the rest');
    assert.equal(await count('requests_rest'), 0);
    assert.deepEqual(await listedIds(store), [later, tomorrow]);

    const first = (await partitions()).find((name) => name.startsWith('requests_until_')) ?? '';
    const old = Date.UTC(2020, 0, 2);
    await client.query(`create table requests_until_20200102 (like requests including indexes)`);
    await client.query(`alter table requests detach partition ${first}`);
    await client.query(
      `alter table requests attach partition requests_until_20200102 for values from (minvalue) to ('${firstIdAt('req', old)}')`,
    );
    const [young, message] = [batchLineOf('batch', 2), batchLineOf('msgbatch', 89)];
    await log(store, makeOrderedId('req', old - 1), batchLineOf('batch', 92), young, message);
    assert.equal(await count('requests_until_20200102'), 4);
    await keepAll(store, 90);
    assert.ok(!(await partitions()).includes('requests_until_20200102'));
    const kept = [later, tomorrow, young, message];
    assert.deepEqual(await listedIds(store), kept, 'lines of batches stay as long as others');

    await log(store, makeOrderedId('req', old - 1)); // its day is gone: it comes into the rest
    assert.equal(await count('requests_rest'), 3);
    await keepAll(store, 90);
    assert.deepEqual(await listedIds(store), kept);
  });
});

async function runAll(settings: { databaseUrl: string | undefined; dataFolder: string }, statements: string[]) {
  if (settings.databaseUrl === undefined) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${settings.dataFolder}/tollgate.db`);
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: settings.databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
