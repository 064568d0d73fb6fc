import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import type { Store } from '../store.ts';
import {
  addBackgroundCall,
  type BackgroundCallRow,
  claimDueCalls,
  findBackgroundCalls,
  removeBackgroundCall,
} from './background-calls.ts';
import { orphanedHolds } from './processes.ts';

const AT = 1_760_000_000;
const PRICE = '{"price":{"unit":"request","amount":"1"},"multiplier":"1"}';

const row = (id: string, more: Partial<BackgroundCallRow> = {}): BackgroundCallRow => ({
  hold_id: id,
  account_id: 'acc',
  upstream_id: `resp_${id}`,
  channel_id: 'ch_1',
  key_id: 'key_1',
  detail: '{}',
  ask_at: AT,
  deadline: AT + 100,
  created_at: AT,
  ...more,
});

async function withHolds(store: Store, ...ids: string[]): Promise<Store> {
  await addAccount(store, { id: 'acc', balance: 1_000n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  for (const id of ids)
    await store.commit(holdOperation({ id, account_id: 'acc', token_id: 'tok', amount: 10n, price: PRICE }));
  return store;
}

onEveryStore((open) => {
  test('a call is found by its account and the id of its upstream, with the price of its hold', async () => {
    const store = await withHolds(await open(), 'a');
    assert.equal(await addBackgroundCall(store, row('a')), true);
    assert.equal(await addBackgroundCall(store, row('a')), true, 'again changes nothing');
    const find = (accountId: string, upstreamId: string) => findBackgroundCalls(store, { accountId, upstreamId });
    assert.deepEqual(await find('acc', 'resp_a'), [{ ...row('a'), price: PRICE }]);
    assert.deepEqual([await find('acc', 'resp_b'), await find('other', 'resp_a')], [[], []]);
    await store.commit(endOperation('a', 3n));
    assert.equal((await find('acc', 'resp_a'))[0]?.price, undefined);
    await removeBackgroundCall(store, 'a');
    assert.deepEqual(await find('acc', 'resp_a'), []);
  });

  test('a call whose hold has ended is not kept', async () => {
    const store = await withHolds(await open(), 'a');
    await store.commit(endOperation('a', null));
    assert.equal(await addBackgroundCall(store, row('a')), false);
    assert.deepEqual(await findBackgroundCalls(store, { accountId: 'acc', upstreamId: 'resp_a' }), []);
  });

  test("its hold is nobody's orphan, neither without its process nor past its time", async () => {
    const store = await withHolds(await open(), 'a', 'b');
    await addBackgroundCall(store, row('a'));
    const orphans = () => orphanedHolds(store.reads, { now: AT + 10_000, silence: 10, limit: 10 });
    assert.deepEqual(await orphans(), ['b']);
    await removeBackgroundCall(store, 'a');
    assert.deepEqual((await orphans()).sort(), ['a', 'b']);
  });

  test('what is due is claimed by one of several, and due again when it says', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const store = await withHolds(await open(), ...ids);
    for (const id of ids) await addBackgroundCall(store, row(id, { ask_at: id === 'd' ? AT + 50 : AT }));
    const claim = (now: number) => claimDueCalls(store, { now, limit: 10, nextAsk: () => now + 5 });
    const claims = await Promise.all([claim(AT), claim(AT), claim(AT)]);
    assert.deepEqual(claims.flatMap((calls) => calls.map(({ hold_id }) => hold_id)).sort(), ['a', 'b', 'c']);
    assert.deepEqual(await claim(AT + 4), []);
    assert.equal((await claim(AT + 5)).length, 3);
    assert.equal((await claimDueCalls(store, { now: AT + 60, limit: 2, nextAsk: () => AT + 99 })).length, 2);
  });
});
