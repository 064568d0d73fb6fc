import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStoreSettings } from '../../testing/stores.ts';
import { openStore } from '../open-store.ts';
import type { Store } from '../store.ts';

const hold = (id: string, amount: bigint) =>
  holdOperation({ id, account_id: 'acc', token_id: 'tok', amount, mode: 'live' });

async function balanceOf(store: Store): Promise<bigint> {
  return (await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance;
}

onEveryStoreSettings((makeSettings, _dialect, atEnd) => {
  const openTwo = async (balance: bigint): Promise<[Store, Store]> => {
    const settings = await makeSettings();
    const first = await openStore(settings);
    atEnd(() => first.close());
    const second = await openStore(settings);
    atEnd(() => second.close());
    await addAccount(first, { id: 'acc', balance });
    await addToken(first, { id: 'tok', account_id: 'acc' });
    return [first, second];
  };

  test('what another process holds is seen by one that knew the balance before (promise M-02)', async () => {
    const [first, second] = await openTwo(100n);
    assert.equal(await first.commit(hold('h1', 60n)), 'held');
    assert.equal(await second.commit(hold('h2', 30n)), 'held');
    assert.equal(await first.commit(hold('h3', 30n)), 'balance_too_low');
    assert.equal(await second.commit(endOperation('h2', 5n)), 'settled');
    assert.equal(await first.commit(hold('h4', 30n)), 'held');
    assert.equal(await balanceOf(first), 5n);
  });

  test('a hold that another process ended is not ended again by the one that made it (promise M-03)', async () => {
    const [first, second] = await openTwo(100n);
    assert.equal(await first.commit(hold('h1', 60n)), 'held');
    assert.equal(await second.commit(endOperation('h1', null)), 'released');
    assert.equal(await first.commit(endOperation('h1', 20n)), 'released');
    assert.equal(await balanceOf(second), 100n);
  });

  test('an operator who changes the account in this process is seen by the next call', async () => {
    const [first] = await openTwo(100n);
    assert.equal(await first.commit(hold('h1', 60n)), 'held');
    await first.transaction((work) => work.updateTable('accounts').set({ balance: 1_000n }).execute());
    assert.equal(await first.commit(hold('h2', 500n)), 'held');
    assert.equal(await balanceOf(first), 500n);
  });
});
