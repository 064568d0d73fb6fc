import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import type { Store } from '../store.ts';
import type { HoldOperation } from './operations.ts';

async function moneyOf(store: Store): Promise<{ balance: bigint; used: bigint; held: bigint }> {
  const account = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  const token = await store.reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
  return { ...account, ...token };
}

async function entriesOf(store: Store): Promise<string[]> {
  const rows = await store.reads.selectFrom('ledger').selectAll().orderBy('id').execute();
  return rows.map((row) => `${row.kind} ${row.amount} -> ${row.balance_after}${row.mode === 'test' ? ' test' : ''}`);
}

async function withMoney(
  store: Store,
  balance: bigint,
  token: { quota?: bigint; mode?: 'live' | 'test' } = {},
): Promise<void> {
  await addAccount(store, { id: 'acc', balance });
  await addToken(store, { id: 'tok', account_id: 'acc', ...token });
}

const hold = (id: string, amount: bigint, mode: 'live' | 'test' = 'live') =>
  holdOperation({ id, account_id: 'acc', token_id: 'tok', amount, mode });

onEveryStore((open) => {
  test('a hold takes its amount off the free balance, a settle gives the rest back (contract 2, /ledger)', async () => {
    const store = await open();
    await withMoney(store, 100n);
    assert.equal(await store.commit(hold('h1', 30n)), 'held');
    assert.deepEqual(await moneyOf(store), { balance: 70n, used: 0n, held: 30n });
    assert.equal(await store.commit(endOperation('h1', 12n)), 'settled');
    assert.deepEqual(await moneyOf(store), { balance: 88n, used: 12n, held: 0n });
    assert.deepEqual(await entriesOf(store), [
      'credit 100 -> 100',
      'hold 30 -> 70',
      'settle 12 -> 70',
      'release 18 -> 88',
    ]);
  });

  test('a charge above its hold takes the excess off too', async () => {
    const store = await open();
    await withMoney(store, 40n);
    await store.commit(hold('h1', 30n));
    await store.commit(endOperation('h1', 35n));
    assert.deepEqual(await moneyOf(store), { balance: 5n, used: 35n, held: 0n });
    assert.deepEqual((await entriesOf(store)).slice(1), ['hold 30 -> 10', 'settle 35 -> 5']);
  });

  test('a hold ends exactly once, whatever is asked later', async () => {
    const store = await open();
    await withMoney(store, 100n);
    await store.commit(hold('h1', 30n));
    const results = await Promise.all([
      store.commit(endOperation('h1', null)),
      store.commit(endOperation('h1', 30n)),
      store.commit(endOperation('h1', null)),
    ]);
    assert.deepEqual(results, ['released', 'released', 'released']);
    assert.deepEqual(await moneyOf(store), { balance: 100n, used: 0n, held: 0n });
    assert.equal(await store.commit(endOperation('nobody', 1n)), 'unknown');
  });

  test('the same hold sent twice is made once', async () => {
    const store = await open();
    await withMoney(store, 100n);
    assert.deepEqual(await Promise.all([store.commit(hold('h1', 30n)), store.commit(hold('h1', 30n))]), [
      'held',
      'held',
    ]);
    assert.deepEqual(await moneyOf(store), { balance: 70n, used: 0n, held: 30n });
  });

  test('amounts that no sum could hold are refused, for test tokens too, and trouble nobody else', async () => {
    const store = await open();
    await withMoney(store, 100n, { mode: 'test' });
    const results = await Promise.all([
      store.commit(hold('h1', 2n ** 70n, 'test')),
      store.commit(hold('h2', 30n, 'test')),
      store.commit(hold('h3', 2n ** 63n, 'test')),
    ]);
    assert.deepEqual(results, ['quota_too_low', 'held', 'quota_too_low']);
  });

  test('an operation that the database refuses fails at once; those beside it are served', async () => {
    const store = await open();
    await withMoney(store, 100n);
    const bad = { ...hold('h1', 30n).hold, mode: null } as unknown as HoldOperation['hold'];
    const refused = assert.rejects(store.commit({ kind: 'hold', hold: bad }), { code: 'internal_error' });
    assert.equal(await store.commit(hold('h2', 10n)), 'held');
    await refused;
  });

  test('500 parallel holds on a quota for 7: exactly 7 are held', async () => {
    const store = await open();
    await withMoney(store, 1_000_000n, { quota: 70n });
    const results = await Promise.all(Array.from({ length: 500 }, (_, index) => store.commit(hold(`h${index}`, 10n))));
    assert.equal(results.filter((result) => result === 'held').length, 7);
    assert.equal(results.filter((result) => result === 'quota_too_low').length, 493);
  });

  test('a balance is never oversold by parallel holds', async () => {
    const store = await open();
    await withMoney(store, 75n);
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => store.commit(hold(`h${index}`, 10n))));
    assert.equal(results.filter((result) => result === 'held').length, 7);
    assert.equal((await moneyOf(store)).balance, 5n);
  });

  test('a test token leaves the balance alone and marks its lines (contract 5)', async () => {
    const store = await open();
    await withMoney(store, 5n, { mode: 'test', quota: 100n });
    assert.equal(await store.commit(hold('h1', 30n, 'test')), 'held');
    await store.commit(endOperation('h1', 20n));
    assert.deepEqual(await moneyOf(store), { balance: 5n, used: 20n, held: 0n });
    assert.deepEqual((await entriesOf(store)).slice(1), [
      'hold 30 -> 5 test',
      'settle 20 -> 5 test',
      'release 10 -> 5 test',
    ]);
  });

  test('amounts beyond 2^53 stay exact', async () => {
    const store = await open();
    const huge = 4_000_000_000_000_000_001n;
    await withMoney(store, huge);
    await store.commit(hold('h1', huge - 2n));
    assert.equal((await moneyOf(store)).balance, 2n);
    await store.commit(endOperation('h1', huge - 3n));
    assert.equal((await moneyOf(store)).balance, 3n);
  });

  test('ledger lines can be neither changed nor removed (promise M-12)', async () => {
    const store = await open();
    await withMoney(store, 5n);
    await assert.rejects(
      store.transaction((transaction) => transaction.updateTable('ledger').set({ amount: 1n }).execute()),
      /append-only/,
    );
    await assert.rejects(
      store.transaction((transaction) => transaction.deleteFrom('ledger').execute()),
      /append-only/,
    );
  });
});
