import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import type { Store } from '../store/store.ts';
import { BooksWatch, countOf, reconcile } from './reconcile.ts';

const LARGE = 9_007_199_254_740_993n; // more than a number is exact

async function withBooks(store: Store): Promise<Store> {
  await addAccount(store, { id: 'acc', balance: LARGE });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  await addToken(store, { id: 'test', account_id: 'acc', mode: 'test' });
  const now = await store.now();
  const hold = (id: string, amount: bigint, token_id = 'tok', mode: 'live' | 'test' = 'live') =>
    store.commit(holdOperation({ id, account_id: 'acc', token_id, amount, mode, expires_at: now + 900 }));
  await hold('settled', 30n);
  await store.commit(endOperation('settled', 12n));
  await hold('exceeded', 30n);
  await store.commit(endOperation('exceeded', 45n));
  await hold('released', 30n);
  await store.commit(endOperation('released', null));
  await hold('of-test', 30n, 'test', 'test');
  await store.commit(endOperation('of-test', 7n));
  await hold('open', 20n);
  return store;
}

async function quick(store: Store): Promise<Record<string, number>> {
  let seen = countOf([]);
  const watch = new BooksWatch({ store, onProblems: (counts) => (seen = counts), onError: assert.ifError });
  await watch.look();
  return seen;
}

const none = { account: 0, token: 0, hold: 0, overdue: 0 };

onEveryStore((open) => {
  test('books in order have no problem, with calls under way and of test tokens', async () => {
    const store = await withBooks(await open());
    assert.deepEqual(await reconcile(store), []);
    assert.deepEqual(await quick(store), none);
  });

  test('money that moved without a line is found, to the last unit', async () => {
    const store = await withBooks(await open());
    await store.transaction((transaction) =>
      transaction
        .updateTable('accounts')
        .set((row) => ({ balance: row('balance', '+', 1n) }))
        .execute(),
    );
    const [problem, ...more] = await reconcile(store);
    assert.deepEqual([problem?.check, problem?.id, more.length], ['account', 'acc', 0]);
    assert.match(problem?.detail ?? '', new RegExp(`granted ${LARGE}, but balance ${LARGE - 76n} \\+ held 20`));
    assert.deepEqual(await quick(store), { ...none, account: 1 });
  });

  test("a token's sums that are wrong are found", async () => {
    const store = await withBooks(await open());
    await store.transaction((transaction) =>
      transaction.updateTable('tokens').set({ held: 21n }).where('id', '=', 'tok').execute(),
    );
    assert.deepEqual(countOf(await reconcile(store)), { ...none, token: 1 });
    assert.deepEqual(await quick(store), { ...none, token: 1 });
  });

  test('holds that vanished, ended twice or are open past their end are found', async () => {
    const store = await withBooks(await open());
    await store.transaction((transaction) => transaction.deleteFrom('holds').where('id', '=', 'open').execute());
    assert.deepEqual(countOf(await reconcile(store)), { account: 1, token: 1, hold: 1, overdue: 0 });

    const other = await withBooks(await open());
    await other.transaction((transaction) => transaction.updateTable('holds').set({ expires_at: 1 }).execute());
    assert.deepEqual(countOf(await reconcile(other)), { ...none, overdue: 1 });
    assert.deepEqual(await quick(other), { ...none, overdue: 1 });
    const line = { account_id: 'acc', token_id: 'tok', request_id: null, task_id: null, usage_source: null } as const;
    await other.transaction((transaction) =>
      transaction
        .insertInto('ledger')
        .values({
          ...line,
          kind: 'release',
          hold_id: 'exceeded',
          amount: 5n,
          balance_after: 0n,
          mode: 'test',
          note: null,
          author: null,
          created_at: 1,
        })
        .execute(),
    );
    assert.equal((await reconcile(other)).find(({ check }) => check === 'hold')?.id, 'exceeded');
  });
});
