// Batches that are one statement leave the same rows as batches that lock, read and write, whatever else happens to them.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { makeMigratedDatabase } from '../../testing/templates.ts';
import { addAccount, addToken, endOperation, holdOperation, requestRow } from '../../testing/fixtures.ts';
import type { EndOperation, LedgerOperation } from '../ledger/operations.ts';
import type { Store } from '../store.ts';
import type { MembersTable } from '../tables.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const server = process.env['TEST_DATABASE_URL'];
const skip = server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;
const AT = 1_760_000_000;

const MEMBER: MembersTable = {
  id: 'mem',
  account_id: 'acc',
  email: 'a@example.com',
  role: 'member',
  status: 'active',
  password_hash: null,
  invite_hash: null,
  invite_expires_at: null,
  cap: null,
  cap_period: null,
  cap_start: 0,
  cap_used: 0n,
  oidc_issuer: null,
  oidc_subject: null,
  created_at: AT,
};

async function open(t: TestContext, databaseUrl: string): Promise<Store> {
  const store = await openPostgresStore(databaseUrl);
  t.after(() => store.close());
  return store;
}

/** A connection beside the stores. */
async function reader(t: TestContext, databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  t.after(() => client.end());
  return client;
}

const hold = (id: string, amount: bigint, owner = '') =>
  holdOperation({ id, account_id: `acc${owner}`, token_id: `tok${owner}`, amount, created_at: AT });

function settle(id: string, charge: bigint): EndOperation {
  const request = requestRow({ id, account_id: 'acc', token_id: 'tok', charge });
  return { ...endOperation(id, charge), request };
}

interface Line {
  hold_id: string | null;
  kind: string;
  amount: bigint;
  balance_after: bigint;
}

async function linesOf(store: Store, account = 'acc'): Promise<Line[]> {
  return store.reads
    .selectFrom('ledger')
    .select(['hold_id', 'kind', 'amount', 'balance_after'])
    .where('account_id', '=', account)
    .orderBy('id')
    .execute();
}

/** Every line follows from the one before it, and the last shows the balance (promise M-11). */
async function checkLines(store: Store, account = 'acc'): Promise<void> {
  let balance = 0n;
  const open = new Map<string, bigint>();
  for (const { hold_id, kind, amount, balance_after } of await linesOf(store, account)) {
    if (kind === 'credit') balance += amount;
    if (kind === 'hold') balance -= amount;
    if (kind === 'release') balance += amount;
    if (kind === 'settle') {
      const excess = amount - (open.get(hold_id ?? '') ?? 0n);
      if (excess > 0n) balance -= excess;
    }
    if (kind === 'hold') open.set(hold_id ?? '', amount);
    assert.equal(balance_after, balance, `${kind} of ${hold_id}`);
  }
  const row = await store.reads.selectFrom('accounts').select('balance').where('id', '=', account).executeTakeFirst();
  assert.equal(row?.balance, balance);
}

async function tokenOf(store: Store, id = 'tok') {
  return store.reads
    .selectFrom('tokens')
    .select(['used', 'held', 'period_used'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

describe('batches as one statement', { skip }, () => {
  const two = async (t: TestContext, account = {}, token = {}): Promise<[Store, Store, string]> => {
    const databaseUrl = await makeMigratedDatabase(server ?? '');
    const [first, second] = [await open(t, databaseUrl), await open(t, databaseUrl)];
    await addAccount(first, { id: 'acc', balance: 10_000n, ...account });
    await addToken(first, { id: 'tok', account_id: 'acc', ...token });
    return [first, second, databaseUrl];
  };

  test('two processes that both know the balance move it by differences, and every line is true (promises M-02, M-11)', async (t) => {
    const [first, second] = await two(t);
    for (const [index, store] of [first, second, first, second, first].entries()) {
      assert.equal(await store.commit(hold(`h${index}`, 100n)), 'held');
      if (index % 2 === 0) assert.equal(await store.commit(settle(`h${index}`, 40n)), 'settled');
    }
    assert.equal(await second.commit(settle('h1', 130n)), 'settled'); // above its hold
    await checkLines(first);
    assert.deepEqual(await tokenOf(first), { used: 250n, held: 100n, period_used: 0n });
    const requests = await first.reads.selectFrom('requests').select('charge').orderBy('charge').execute();
    assert.deepEqual(
      requests.map(({ charge }) => charge),
      [40n, 40n, 40n, 130n],
    );
  });

  test('what another process spent is not spent again by one that has not seen it (promise M-02)', async (t) => {
    const [first, second] = await two(t);
    assert.equal(await first.commit(hold('a', 100n)), 'held'); // knows a balance of 9,900 from here on
    assert.equal(await second.commit(hold('b', 9_000n)), 'held');
    assert.equal(await first.commit(hold('c', 5_000n)), 'balance_too_low');
    assert.equal(await first.commit(hold('d', 900n)), 'held');
    await checkLines(first);
  });

  test('a credit is seen by a process that knew of too little', async (t) => {
    const [first] = await two(t, { balance: 100n });
    assert.equal(await first.commit(hold('a', 80n)), 'held');
    assert.equal(await first.commit(hold('b', 80n)), 'balance_too_low');
    await first.transaction((work) => work.updateTable('accounts').set({ balance: 500n }).execute());
    assert.equal(await first.commit(hold('c', 80n)), 'held');
  });

  test('limits that an operator sets meanwhile hold for the next call', async (t) => {
    const [first, second] = await two(t);
    assert.equal(await first.commit(hold('a', 100n)), 'held');
    await second.transaction((work) => work.updateTable('tokens').set({ quota: 150n }).execute());
    assert.equal(await first.commit(hold('b', 100n)), 'quota_too_low');
    await second.transaction((work) => work.updateTable('tokens').set({ quota: null }).execute());
    await second.transaction((work) => work.updateTable('accounts').set({ budget: 50n }).execute());
    assert.equal(await first.commit(hold('c', 100n)), 'budget_too_low');
    assert.equal(await first.commit(hold('d', 10n)), 'held');
  });

  test('a budget and a quota that both processes spend are never exceeded, and end where they should', async (t) => {
    const [first, second] = await two(t, { budget: 1_000n }, { quota: 900n });
    const held: [Store, string][] = [];
    for (let index = 0; index < 20; index++) {
      const store = index % 2 === 0 ? first : second;
      if ((await store.commit(hold(`h${index}`, 100n))) === 'held') held.push([store, `h${index}`]);
    }
    assert.equal(held.length, 9);
    for (const [store, id] of held) assert.equal(await store.commit(settle(id, 10n)), 'settled');
    assert.deepEqual(await tokenOf(first), { used: 90n, held: 0n, period_used: 0n });
    const account = await first.reads.selectFrom('accounts').select('budget_used').executeTakeFirst();
    assert.equal(account?.budget_used, 90n);
    await checkLines(first);
  });

  test('a quota of a period counts what both processes spend', async (t) => {
    const token = { quota: 500n, quota_period: 'month', period_start: AT, period_used: 0n };
    const [first, second] = await two(t, {}, token);
    for (const [index, store] of [first, second, first, second].entries())
      assert.equal(await store.commit(hold(`h${index}`, 100n)), 'held');
    assert.equal(await first.commit(hold('h4', 101n)), 'quota_too_low');
    assert.equal(await first.commit(settle('h0', 1n)), 'settled');
    assert.equal(await second.commit(settle('h1', 1n)), 'settled');
    assert.deepEqual(await tokenOf(first), { used: 2n, held: 200n, period_used: 202n });
  });

  test('tokens of members: a cap counts what both processes spend, and one that is set meanwhile holds', async (t) => {
    const [first, second] = await two(t, {}, { member_id: 'mem' });
    await first.transaction((work) => work.insertInto('members').values(MEMBER).execute());
    for (const [index, store] of [first, second, first].entries())
      assert.equal(await store.commit(hold(`h${index}`, 100n)), 'held');
    await second.transaction((work) => work.updateTable('members').set({ cap: 500n }).execute());
    for (const [index, store] of [first, second, first, second].entries())
      assert.equal(await store.commit(hold(`c${index}`, 100n)), 'held');
    assert.equal(await first.commit(hold('d', 101n)), 'cap_too_low');
    assert.equal(await first.commit(settle('c0', 10n)), 'settled');
    assert.equal(await second.commit(hold('e', 190n)), 'held');
    const { cap_used } = await first.reads.selectFrom('members').select('cap_used').executeTakeFirstOrThrow();
    assert.equal(cap_used, 500n);
    await checkLines(first);
  });

  test('a hold that another process ended is ended once (promise M-03)', async (t) => {
    const [first, second] = await two(t);
    assert.equal(await first.commit(hold('a', 100n)), 'held');
    assert.equal(await first.commit(hold('b', 100n)), 'held');
    assert.equal(await second.commit(endOperation('a', null)), 'released');
    const results = await Promise.all([first.commit(settle('a', 5n)), first.commit(settle('b', 5n))]);
    assert.deepEqual(results, ['released', 'settled']);
    await checkLines(first);
  });

  test('calls of many accounts from two processes at once neither wait for each other in a circle nor lose a unit', async (t) => {
    const [first, second] = await two(t);
    const owners = ['0', '1', '2', '3', '4'];
    for (const owner of owners) {
      await addAccount(first, { id: `acc${owner}`, balance: 1_000_000n });
      await addToken(first, { id: `tok${owner}`, account_id: `acc${owner}` });
    }
    const call = async (store: Store, id: string, owner: string): Promise<void> => {
      assert.equal(await store.commit(hold(id, 100n, owner)), 'held');
      assert.equal(await store.commit(endOperation(id, 7n)), 'settled');
    };
    const calls = [first, second].flatMap((store, side) =>
      Array.from({ length: 200 }, (_, index) => call(store, `h${side}-${index}`, owners[index % 5] ?? '0')),
    );
    await Promise.all(calls);
    for (const owner of owners) {
      await checkLines(first, `acc${owner}`);
      assert.deepEqual(await tokenOf(first, `tok${owner}`), { used: 560n, held: 0n, period_used: 0n });
    }
  });

  test('a call whose rows are known is one statement and one transaction', async (t) => {
    const [first, , databaseUrl] = await two(t);
    const client = await reader(t, databaseUrl);
    assert.equal(await first.commit(hold('a', 100n)), 'held');
    const last = async (): Promise<string> => {
      const { rows } = await client.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and query like '%ledger_batch%' and pid <> pg_backend_pid()`,
      );
      return rows.map(({ query }) => query).join();
    };
    assert.doesNotMatch(await last(), /^select pg_temp.ledger_batch/);
    for (const operation of [hold('b', 100n), settle('a', 5n), settle('b', 5n)] satisfies LedgerOperation[]) {
      await first.commit(operation);
      assert.match(await last(), /^select pg_temp.ledger_batch/);
    }
  });

  test('a role that may make no temporary function commits in steps', async (t) => {
    const databaseUrl = await makeMigratedDatabase(server ?? '');
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    const role = `plain_${process.pid}_${Math.floor(performance.now())}`;
    await owner.query(`create role ${role} login; grant all on all tables in schema public to ${role};
      grant all on all sequences in schema public to ${role}`);
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await owner.query(`revoke temporary on database ${rows[0]?.name} from public`);
    const url = new URL(databaseUrl);
    url.username = role;
    const store = await openPostgresStore(url.href, { existing: true });
    t.after(async () => {
      await store.close();
      await owner.query(`drop owned by ${role}; drop role ${role}`);
      await owner.end();
    });
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    assert.equal(await store.commit(hold('a', 100n)), 'held');
    assert.equal(await store.commit(settle('a', 5n)), 'settled');
    await checkLines(store);
  });
});
