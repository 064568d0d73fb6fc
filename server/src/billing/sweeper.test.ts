import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heartbeat } from '../store/queries/processes.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken, endOperation, holdOperation } from '../testing/fixtures.ts';
import { onEveryStoreSettings } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { Sweeper } from './sweeper.ts';

const BALANCE = 1_000_000n;

async function withMoney(store: Store): Promise<void> {
  await addAccount(store, { id: 'acc', balance: BALANCE });
  await addToken(store, { id: 'tok', account_id: 'acc' });
}

async function addHolds(store: Store, prefix: string, count: number, owner: string, lifetime = 900): Promise<void> {
  const expires_at = (await store.now()) + lifetime;
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.commit(
        holdOperation({ id: `${prefix}${index}`, account_id: 'acc', token_id: 'tok', amount: 10n, owner, expires_at }),
      ),
    ),
  );
}

async function silence(store: Store, id: string, seconds: number): Promise<void> {
  const heartbeat_at = (await store.now()) - seconds;
  await store.transaction((transaction) =>
    transaction.insertInto('processes').values({ id, started_at: heartbeat_at, heartbeat_at }).execute(),
  );
}

const sweeperOf = (store: Store, processId: string, seen: unknown[] = [], intervalMs = 50): Sweeper =>
  new Sweeper({
    store,
    processId,
    intervalMs,
    onError: (error) => seen.push(error),
    onSwept: (count) => seen.push(count),
  });

async function moneyOf(store: Store): Promise<{ balance: bigint; held: bigint; open: number; releases: number }> {
  const { balance } = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  const { held } = await store.reads.selectFrom('tokens').select('held').executeTakeFirstOrThrow();
  const open = await store.reads.selectFrom('holds').select('id').execute();
  const releases = await store.reads.selectFrom('ledger').select('id').where('kind', '=', 'release').execute();
  return { balance, held, open: open.length, releases: releases.length };
}

const until = (condition: () => Promise<boolean>): Promise<void> => waitUntil(condition, 'it does not come to that');

onEveryStoreSettings((makeSettings, _dialect, atEnd) => {
  const open = async (settings: Awaited<ReturnType<typeof makeSettings>>): Promise<Store> => {
    const store = await openStore(settings);
    atEnd(() => store.close());
    return store;
  };

  test('holds of a process that fell silent are released whole, once, and noted as orphaned', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    await silence(store, 'dead', 30);
    await addHolds(store, 'h', 20, 'dead');
    const sweeper = sweeperOf(store, 'me');
    assert.equal(await sweeper.sweep(), 20);
    assert.equal(await sweeper.sweep(), 0);
    assert.deepEqual(await moneyOf(store), { balance: BALANCE, held: 0n, open: 0, releases: 20 });
    const notes = await store.reads
      .selectFrom('ledger')
      .select('note')
      .where('kind', '=', 'release')
      .distinct()
      .execute();
    assert.deepEqual(notes, [{ note: 'orphaned' }]);
  });

  test('two sweepers at once, each with a store of its own, release every hold once', async () => {
    const settings = await makeSettings();
    const [one, two] = [await open(settings), await open(settings)];
    await withMoney(one);
    await addHolds(one, 'h', 200, 'dead');
    await Promise.all([
      sweeperOf(one, 'p1').sweep(),
      sweeperOf(two, 'p2').sweep(),
      sweeperOf(one, 'p1').sweep(),
      sweeperOf(two, 'p2').sweep(),
    ]);
    assert.deepEqual(await moneyOf(one), { balance: BALANCE, held: 0n, open: 0, releases: 200 });
  });

  test('holds past their time are released although their process lives', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    await heartbeat(store, 'alive');
    await addHolds(store, 'old', 3, 'alive', -5);
    await addHolds(store, 'new', 4, 'alive', 600);
    assert.equal(await sweeperOf(store, 'me').sweep(), 3);
    assert.deepEqual(await moneyOf(store), { balance: BALANCE - 40n, held: 40n, open: 4, releases: 3 });
  });

  test('a running sweeper keeps its own holds alive and ends those of the dead by itself', async () => {
    const settings = await makeSettings();
    const [mine, other] = [await open(settings), await open(settings)];
    await withMoney(mine);
    const seen: unknown[] = [];
    const sweeper = sweeperOf(mine, 'me', seen);
    await sweeper.start();
    const peer = sweeperOf(other, 'peer', seen);
    await peer.start();
    await addHolds(mine, 'mine', 3, 'me');
    await addHolds(other, 'peer', 3, 'peer');
    await silence(mine, 'dead', 60);
    await addHolds(other, 'dead', 5, 'dead');
    await until(async () => (await moneyOf(mine)).open === 6);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(await moneyOf(mine), { balance: BALANCE - 60n, held: 60n, open: 6, releases: 5 });
    await sweeper.stop();
    await until(async () => (await moneyOf(other)).open === 3); // what a stopped process left is ended by its peer
    await peer.stop();
    assert.deepEqual(
      seen.filter((one) => one instanceof Error),
      [],
    );
    assert.deepEqual(await other.reads.selectFrom('processes').select('id').where('id', '!=', 'dead').execute(), []);
  });

  test('a beat that the store was slow to write gives everybody time, also the process itself', async (t) => {
    const store = await open(await makeSettings());
    await withMoney(store);
    let lateMs = 0;
    const slow: Store = {
      ...store,
      now: async () => (await store.now()) + Math.floor(lateMs / 1000),
      async transaction(work) {
        const result = await store.transaction(work);
        lateMs = 12_000;
        return result;
      },
    };
    const real = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => real() + lateMs);
    await heartbeat(store, 'peer');
    await addHolds(store, 'mine', 3, 'me');
    await addHolds(store, 'peer', 3, 'peer');
    const seen: unknown[] = [];
    const sweeper = sweeperOf(slow, 'me', seen, 20);
    await sweeper.start();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual([(await moneyOf(store)).open, seen], [6, []]);
    await sweeper.stop();
  });

  test('a clock that is put forward makes nobody silent', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    let ahead = 0;
    const shifted: Store = { ...store, now: async () => (await store.now()) + ahead };
    await heartbeat(store, 'peer');
    await addHolds(store, 'peer', 3, 'peer', 9_000);
    const seen: unknown[] = [];
    const sweeper = sweeperOf(shifted, 'me', seen, 20);
    await sweeper.start();
    const before = sweeper.storeNow() ?? 0;
    ahead = 3_600;
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual([(await moneyOf(store)).open, seen], [3, []]);
    assert.ok((sweeper.storeNow() ?? 0) - before >= 3_600, 'and holds made now expire by it');
    await sweeper.stop();
  });

  test('what is due is written before any sweep, also while others are given time, and at the stop', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    await addHolds(store, 'expired', 1, 'me', -5);
    await addHolds(store, 'kept', 1, 'me');
    const due = ['expired0'];
    const sweeper = new Sweeper({
      store,
      processId: 'me',
      intervalMs: 20,
      onError: assert.ifError,
      onSwept: () => undefined,
      async finishEnds() {
        for (const id of due.splice(0)) assert.equal(await store.commit(endOperation(id, 4n)), 'settled');
      },
    });
    await sweeper.start();
    await until(async () => (await moneyOf(store)).open === 1);
    due.push('kept0');
    await sweeper.stop();
    assert.deepEqual(await moneyOf(store), { balance: BALANCE - 8n, held: 0n, open: 0, releases: 2 });
  });

  test('a settle and a sweep that race leave one end and the right balance', async () => {
    const settings = await makeSettings();
    const [one, two] = [await open(settings), await open(settings)];
    await withMoney(one);
    await addHolds(one, 'h', 100, 'dead');
    const [, ...ends] = await Promise.all([
      sweeperOf(two, 'p2').sweep(),
      ...Array.from({ length: 100 }, (_, index) => one.commit(endOperation(`h${index}`, 4n))),
    ]);
    const settled = BigInt(ends.filter((end) => end === 'settled').length);
    const { balance, held, open: left } = await moneyOf(one);
    assert.deepEqual({ balance, held, left }, { balance: BALANCE - 4n * settled, held: 0n, left: 0 });
    const { used } = await one.reads.selectFrom('tokens').select('used').executeTakeFirstOrThrow();
    assert.equal(used, 4n * settled);
  });

  test('one sweep ends all orphans, however many a crash left (contract 6: within 15 s)', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    await addHolds(store, 'h', 2_200, 'dead');
    await sweeperOf(store, 'me').sweep();
    assert.equal((await moneyOf(store)).open, 0);
  });

  test('a failure is reported and ends nothing: the next round goes on', async () => {
    const store = await open(await makeSettings());
    await withMoney(store);
    await addHolds(store, 'h', 2, 'dead');
    let away = false;
    const flaky: Store = {
      ...store,
      now: () => (away ? Promise.reject(new Error('the store is away')) : store.now()),
    };
    const seen: unknown[] = [];
    const sweeper = sweeperOf(flaky, 'me', seen, 20);
    await sweeper.start();
    away = true;
    await until(async () => seen.some((one) => one instanceof Error));
    away = false;
    await until(async () => (await moneyOf(store)).open === 0);
    await sweeper.stop();
    assert.equal((await moneyOf(store)).balance, BALANCE);
  });
});
