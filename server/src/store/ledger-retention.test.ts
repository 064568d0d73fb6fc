import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readBooks, reconcile } from '../billing/reconcile.ts';
import { makeStatement } from '../operator/records/statement.ts';
import { addAccount, addToken, endOperation, holdOperation } from '../testing/fixtures.ts';
import { makeDatabase, makeMigratedDatabase } from '../testing/templates.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { migrations } from './migrations/index.ts';
import { migrate } from './migrations/migrate.ts';
import { keepLedger } from './postgres/keep-ledger.ts';
import { listLedgerPartitions } from './postgres/ledger-partitions.ts';
import { postgresWords } from './postgres/sql-fragments.ts';
import { moveBalance } from './queries/accounts.ts';
import { findCarried } from './queries/carried-ledger.ts';
import { listLedgerGroups } from './queries/folded-ledger.ts';
import { findByHold, hasEntries, insertLedgerEntry, listLedger } from './queries/ledger.ts';
import { wrongSums } from './queries/reconcile.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

const server = process.env['TEST_DATABASE_URL'];
/** Where the first partition of an empty database ends. */
const END = 2_000_000n;
const PROCESS = fileURLToPath(new URL('../testing/keep-ledger-process.ts', import.meta.url));

interface Fixture extends AsyncDisposable {
  store: Store;
  client: pg.Client;
  url: string;
}

/** Three accounts with money and a token each; entries of the fixtures are from 2025. */
async function open(url?: string): Promise<Fixture> {
  const databaseUrl = url ?? (await makeMigratedDatabase(server ?? ''));
  const store = await openStore({ databaseUrl, dataFolder: tmpdir() });
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  if (url === undefined)
    for (const name of ['a', 'b', 'c']) {
      await addAccount(store, { id: `acc_${name}`, balance: 1_000_000n });
      await addToken(store, { id: `tok_${name}`, account_id: `acc_${name}` });
    }
  return {
    store,
    client,
    url: databaseUrl,
    async [Symbol.asyncDispose]() {
      await client.end();
      await store.close();
    },
  };
}

let calls = 0;

/** Calls that cost something, nothing, less and more than was held, one after another. */
async function spend(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const account = 'abc'[index % 3] ?? 'a';
    const id = `req_${String(++calls).padStart(6, '0')}`;
    await store.commit(
      holdOperation({ id, account_id: `acc_${account}`, token_id: `tok_${account}`, amount: 100n + BigInt(index) }),
    );
    await store.commit(endOperation(id, [7n + BigInt(index), null, 100n + BigInt(index), 170n][index % 4] ?? null));
  }
}

async function refund(store: Store, requestId: string): Promise<void> {
  await store.transaction(async (transaction) => {
    const charge = (await findByHold(transaction, 'settle', [requestId])) ?? assert.fail(`no charge of ${requestId}`);
    const balance = await moveBalance(transaction, charge.account_id, { by: 3n, minimum: 0n, maximum: 10n ** 15n });
    const { id, ...entry } = charge;
    await insertLedgerEntry(transaction, {
      ...entry,
      kind: 'credit',
      amount: 3n,
      balance_after: balance ?? assert.fail(`no ${id}`),
    });
  });
}

const hold = (store: Store, id: string): Promise<unknown> =>
  store.commit(holdOperation({ id, account_id: 'acc_a', token_id: 'tok_a', amount: 55n }));

/** As if that many entries had been written. */
const continueAt = (client: pg.Client, id: bigint): Promise<unknown> =>
  client.query(`select setval('ledger_ids', ${id}, false)`);

/** The next entries lie in a partition of their own. */
async function moveOn({ url, client }: Fixture, end: bigint): Promise<bigint> {
  await continueAt(client, end - 1n);
  await client.query(`select nextval('ledger_ids')`);
  await keepLedger(url, { days: undefined, exported: undefined });
  await client.query(`select nextval('ledger_ids')`);
  return (await listLedgerPartitions(client)).find(({ start }) => start === end)?.end ?? assert.fail('no partition');
}

async function namesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relname like 'ledger%' and relkind in ('r', 'p') order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function assertBooks(store: Store): Promise<void> {
  assert.deepEqual(
    [...(await reconcile(store)).filter(({ check }) => check !== 'overdue'), ...(await wrongSums(store.reads))],
    [],
  );
}

const skip = server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;
describe('the ledger on PostgreSQL', { skip }, () => {
  test('old entries leave only when every sink has them, and the books stay equal (contract-2 12, promise M-01)', async () => {
    await using fixture = await open();
    const { store, client, url } = fixture;
    const first = calls + 1;
    await spend(store, 24);
    await refund(store, `req_${String(first + 3).padStart(6, '0')}`); // of one that is dropped with its refund
    await hold(store, 'req_open');
    await hold(store, 'req_later');
    const second = await moveOn(fixture, END);
    await store.commit(endOperation('req_later', 20n));
    await refund(store, `req_${String(first).padStart(6, '0')}`); // of a call whose own entries are to go
    await spend(store, 12);
    const before = await readBooks(store);
    const exported = END - 1n;
    for (const keeping of [
      { days: undefined, exported },
      { days: 62, exported: undefined },
      { days: 62, exported: exported - 1n },
      { days: 36_500, exported },
    ])
      assert.equal(await keepLedger(url, keeping), false);
    assert.deepEqual(await readBooks(store), before, 'nothing may be dropped yet');

    assert.equal(await keepLedger(url, { days: 62, exported: 10n ** 12n }), true);
    assert.equal(await keepLedger(url, { days: 62, exported: 10n ** 12n }), false, 'the partition of now stays');
    const after = await readBooks(store);
    assert.ok(after.entries < before.entries - 50, `${after.entries} of ${before.entries}`);
    assert.deepEqual({ ...after, entries: before.entries }, before);
    await assertBooks(store);
    const { dropped, until } = await findCarried(store.reads);
    assert.equal(dropped, before.entries - after.entries);

    // Lists, look-ups and what is open go on.
    const old = (await listLedger(store.reads, { limit: 500 })).filter(({ id }) => id < END);
    assert.deepEqual(
      old.filter(({ kind }) => kind === 'settle').map(({ note, author, hold_id }) => [note, author, hold_id]),
      Array.from({ length: 3 }, () => ['carried forward', 'tollgate', null]),
    );
    assert.equal(old.filter(({ kind }) => kind === 'credit').length, 4, 'every credit stays');
    assert.equal((await listLedgerGroups(store.reads, { limit: 500 })).groups.length > 12, true);
    assert.equal(await hasEntries(store.reads, { id: 'tok_b', account_id: 'acc_b' }), true);
    await store.commit(endOperation('req_open', 5n));
    await assertBooks(store);

    // A statement of a month that is gone is refused, one of a later month begins with what was carried.
    const account = { id: 'acc_a', name: 'a' };
    const statement = (month: string) =>
      makeStatement(store.reads, { account, month, now: until + 90 * 86_400, currency: 'USD' });
    await assert.rejects(statement('2025-10'), /ledger of 2025-10 is not kept/);
    const { rows } = await client.query<{ balance: string }>(
      `select balance + coalesce((select sum(amount) from holds where account_id = 'acc_a'), 0) as balance from accounts where id = 'acc_a'`,
    );
    assert.equal((await statement('2025-11')).opening_balance, (Number(rows[0]?.balance) / 1e9).toFixed(9));

    // The next time what was carried is carried on.
    await moveOn(fixture, second);
    await spend(store, 6);
    const third = await readBooks(store);
    assert.equal(await keepLedger(url, { days: 62, exported: 10n ** 12n }), true);
    const last = await readBooks(store);
    assert.deepEqual({ ...last, entries: third.entries }, third);
    assert.ok(last.entries < third.entries);
    await assertBooks(store);
    assert.equal((await namesOf(client)).filter((name) => name.includes('carr')).length, 1);
  });

  test('a process that is killed while it drops or makes a partition leaves what was there (kill -9)', async () => {
    await using fixture = await open();
    const { store, client, url } = fixture;
    await spend(store, 9);
    await moveOn(fixture, END);
    await spend(store, 3);
    await keepLedger(url, { days: undefined, exported: undefined });
    const [books, names] = [await readBooks(store), await namesOf(client)];
    const killWaiting = async (table: string): Promise<void> => {
      await client.query(`begin; lock table only ${table} in access share mode`);
      const child = spawn(process.execPath, [PROCESS, url, '62', '1000000000000'], { stdio: 'inherit' });
      const waiting = `select from pg_locks where relation = '${table}'::regclass and mode = 'AccessExclusiveLock' and not granted`;
      await waitUntil(async () => (await client.query(waiting)).rowCount === 1, 'nobody waits for the table');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await client.query('commit');
      const left = `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
      await waitUntil(async () => (await client.query(left)).rowCount === 0, 'the killed one still has its lock');
      assert.deepEqual([await readBooks(store), await namesOf(client)], [books, names]);
      await assertBooks(store);
    };
    await killWaiting('ledger');
    const last = (await listLedgerPartitions(client)).at(-1)?.end ?? 0n;
    await continueAt(client, last - 10n); // few ids are left: one is to be made
    await client.query(`select nextval('ledger_ids')`);
    await killWaiting('ledger_rest');
    assert.equal(await keepLedger(url, { days: 62, exported: 10n ** 12n }), true);
    assert.deepEqual({ ...(await readBooks(store)), entries: books.entries }, books);
    assert.ok(((await listLedgerPartitions(client)).at(-1)?.end ?? 0n) > last);
    await assertBooks(store);
  });

  test('calls go on while a partition is dropped, by two processes at once', async () => {
    await using fixture = await open();
    const { store, url } = fixture;
    await spend(store, 30);
    await moveOn(fixture, END);
    const dropping = Promise.all([1, 2].map(() => keepLedger(url, { days: 62, exported: 10n ** 12n })));
    await spend(store, 30);
    assert.ok((await dropping).includes(true));
    await assertBooks(store);
  });

  test('entries that came before their partition was made are kept in one that is made of them', async () => {
    await using fixture = await open();
    const { store, client, url } = fixture;
    await spend(store, 3);
    await continueAt(client, 7_500_000n);
    await spend(store, 9);
    const { rows } = await client.query<{ count: string }>('select count(*) from ledger_rest');
    assert.ok(Number(rows[0]?.count) > 20, 'they are in the rest');
    const before = await readBooks(store);
    await keepLedger(url, { days: undefined, exported: undefined });
    assert.equal((await client.query('select from ledger_rest')).rowCount, 0);
    const partitions = await listLedgerPartitions(client);
    assert.ok((partitions.at(-1)?.end ?? 0n) >= 8_500_000n, JSON.stringify(partitions.map(({ name }) => name)));
    await spend(store, 3);
    assert.equal((await readBooks(store)).entries > before.entries, true);
    await assertBooks(store);
  });

  test('no entry of a partition can be changed or removed, and a hold has one of a kind (promise M-12)', async () => {
    await using fixture = await open();
    const { store, client } = fixture;
    await spend(store, 2);
    for (const statement of [
      'update ledger_first set amount = 1',
      'delete from ledger_first',
      'truncate ledger',
      'delete from ledger_rest',
    ])
      await assert.rejects(client.query(statement), /append-only/, statement);
    await assert.rejects(
      client.query(`insert into ledger (kind, account_id, hold_id, amount, balance_after, mode, created_at)
        select kind, account_id, hold_id, amount, balance_after, mode, created_at from ledger where hold_id is not null`),
      /unique/,
    );
  });

  test('a ledger of an older version becomes the first partition as it is, and its numbers go on', async () => {
    const url = await makeDatabase(server ?? '');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const connection = {
      run: (statement: string) => client.query(statement),
      names: async (statement: string) =>
        (await client.query<{ name: string }>(statement)).rows.map(({ name }) => name),
    };
    const older = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0140-ledger-partitions'),
    );
    await migrate(connection, postgresWords, older);
    await client.query(
      `insert into accounts (id, name, group_name, status, balance, created_at) values ('acc_a', 'a', 'default', 'active', 300, 1)`,
    );
    await client.query(`insert into ledger (kind, account_id, amount, balance_after, mode, created_at)
      select 'credit', 'acc_a', 1, n, 'live', 1760000000 from generate_series(1, 300) as n`);
    await client.query(`begin; insert into ledger (kind, account_id, amount, balance_after, mode, created_at)
      values ('credit', 'acc_a', 1, 1, 'live', 1); rollback`); // a number that nobody has
    const { rows: files } = await client.query<{ path: string }>(`select pg_relation_filepath('ledger') as path`);
    await client.end();

    await using fixture = await open(url);
    const { store } = fixture;
    assert.equal(await store.committedUpTo('ledger'), 301n);
    await addToken(store, { id: 'tok_a', account_id: 'acc_a' });
    await hold(store, 'req_1');
    const [newest, , oldest] = await listLedger(store.reads, { limit: 301 }).then((all) => [
      all[0],
      all[1],
      all.at(-1),
    ]);
    assert.deepEqual([newest?.id, newest?.kind, oldest?.id], [302n, 'hold', 1n]);
    const { rows } = await fixture.client.query<{ path: string }>(
      `select pg_relation_filepath('ledger_first') as path`,
    );
    assert.deepEqual(rows, files, 'the entries were copied');
    await assertBooks(store);
  });
});
