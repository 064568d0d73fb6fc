import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type StartedPostgres, startPostgres, startReplica } from '../../../../scripts/postgres.mjs';
import { addAccount } from '../../testing/fixtures.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import type { Reads, Store } from '../store.ts';
import { listAccounts } from '../queries/accounts.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { ReadReplica } from './replica.ts';

let primary: StartedPostgres & { data: string };
let replica: StartedPostgres;
let store: Store;
const heard: (string | undefined)[] = [];

before(async () => {
  // Only a server that keeps what it has committed can be followed.
  primary = await startPostgres(undefined, { settings: ['synchronous_commit=on'] });
  replica = await startReplica(primary);
  store = await openPostgresStore(primary.url, { readUrl: replica.url, replicaLimits: { waitMs: 3_000 } });
  store.replica?.follow((problem) => heard.push(problem));
});

after(async () => {
  await store.close();
  await replica.stop();
  await primary.stop();
});

/** Is the statement put to a server that replays another's changes? */
async function isReplica(reads: Reads): Promise<boolean | undefined> {
  const { rows } = await sql<{ it: boolean }>`select pg_is_in_recovery() as it`.execute(reads);
  return rows[0]?.it;
}

async function onReplica(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const usesReplica = (wanted: boolean): Promise<void> =>
  waitUntil(async () => (await isReplica(store.lists)) === wanted, `lists are ${wanted ? 'not ' : ''}of the replica`);

test('lists come from the replica, lookups and changes do not (contract-2 12)', async () => {
  await usesReplica(true);
  assert.equal(await isReplica(store.reads), false);
  await store.transaction(async (transaction) => assert.equal(await isReplica(transaction), false));
  await assert.rejects(sql`select * from no_such_table`.execute(store.lists), /no_such_table/);
  await usesReplica(true);
});

test('a list has what was committed just before it was asked for (contract-2 10)', async () => {
  await usesReplica(true);
  for (let count = 1; count <= 15; count++) {
    await addAccount(store, { id: `acc_${String(count).padStart(3, '0')}`, balance: 5n });
    assert.equal((await listAccounts(store.lists, { limit: 100 })).length, count);
  }
  const { lists } = store.replica?.state ?? assert.fail('there is no replica');
  assert.ok(lists.replica >= 15, JSON.stringify(lists));
});

test('while the replica replays nothing, lists come from the primary and are right; afterwards from the replica', async () => {
  await usesReplica(true);
  heard.length = 0;
  await onReplica('select pg_wal_replay_pause()');
  await addAccount(store, { id: 'acc_paused' });
  for (let count = 0; count < 3; count++) {
    const rows = await listAccounts(store.lists, { limit: 100 });
    assert.ok(rows.some(({ id }) => id === 'acc_paused'));
  }
  assert.equal(store.replica?.state.problem, 'it lags behind the primary');
  await waitUntil(() => (store.replica?.state.lagSeconds ?? 0) > 0.5, 'the lag does not grow');
  await onReplica('select pg_wal_replay_resume()');
  await usesReplica(true);
  assert.deepEqual(heard.slice(0, 2), ['it lags behind the primary', undefined]);
  await waitUntil(() => store.replica?.state.lagSeconds === 0, 'there is still a lag');
});

test('an address that is no replica of this database is not read from', async () => {
  const wrong = await openPostgresStore(primary.url, { readUrl: primary.url });
  const state = await wrong.replica?.look();
  assert.equal(state?.problem, 'it is no streaming replica');
  assert.equal(await isReplica(wrong.lists), false);
  await wrong.close();
  const nowhere = await openPostgresStore(primary.url, { readUrl: 'postgres://tollgate@127.0.0.1:1/postgres' });
  assert.equal((await nowhere.replica?.look())?.problem, 'it does not answer: ECONNREFUSED');
  assert.equal(await isReplica(nowhere.lists), false);
  await nowhere.close();
});

test('a statement under way on a replica that is killed is answered by the primary', async () => {
  await usesReplica(true);
  heard.length = 0;
  const slow = sql<{ it: boolean }>`select pg_is_in_recovery() as it from pg_sleep(0.5)`.execute(store.lists);
  await waitUntil(async () => {
    const client = new pg.Client({ connectionString: replica.url });
    await client.connect();
    const { rowCount } = await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`);
    await client.end();
    return rowCount === 1;
  }, 'the statement does not run on the replica');
  process.kill(replica.pid, 'SIGKILL');
  assert.deepEqual((await slow).rows, [{ it: false }]);
  await usesReplica(false);
  await addAccount(store, { id: 'acc_alone' });
  assert.ok((await listAccounts(store.lists, { limit: 100 })).some(({ id }) => id === 'acc_alone'));
  assert.equal(heard.length, 1); // once, however many lists were asked for
  assert.ok(store.replica?.state.problem !== undefined);
});

test('a replica of another system or of an earlier timeline is refused, whatever its position', async () => {
  const here = { system: '1', timeline: 2, position: 95n };
  const problemOf = async (there: object): Promise<string | undefined> => {
    const client = { query: async () => ({ rows: [there] }), release() {} };
    const pool = { connect: async () => client, end: async () => {}, totalCount: 1, idleCount: 0, options: { max: 3 } };
    const followed = new ReadReplica(
      { primary: { query: (async () => ({ rows: [here] })) as never }, replica: pool as unknown as pg.Pool },
      { waitMs: 1 },
    );
    const { problem } = await followed.look();
    await followed.close();
    return problem;
  };
  assert.equal(await problemOf({ ...here, system: '2' }), 'it is a replica of another database');
  assert.equal(
    await problemOf({ ...here, timeline: 1, position: 100n }),
    'it follows another timeline than the primary',
  );
  assert.equal(await problemOf({ ...here, position: null }), 'it is no streaming replica');
  assert.equal(await problemOf({ ...here, position: 94n }), 'it lags behind the primary');
  assert.equal(await problemOf(here), undefined);
});
