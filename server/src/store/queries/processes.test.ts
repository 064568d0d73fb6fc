import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import type { Store } from '../store.ts';
import { heartbeat, orphanedHolds, removeProcess } from './processes.ts';

async function withMoney(store: Store): Promise<void> {
  await addAccount(store, { id: 'acc', balance: 1_000_000n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
}

async function addHold(store: Store, id: string, owner: string, expiresAt: number): Promise<void> {
  const hold = holdOperation({ id, account_id: 'acc', token_id: 'tok', amount: 1n, owner, expires_at: expiresAt });
  assert.equal(await store.commit(hold), 'held');
}

/** As if the process had last been heard of so many seconds ago. */
async function silence(store: Store, id: string, seconds: number): Promise<void> {
  const heartbeat_at = (await store.now()) - seconds;
  await store.transaction((transaction) =>
    transaction
      .insertInto('processes')
      .values({ id, started_at: heartbeat_at, heartbeat_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at }))
      .execute(),
  );
}

const orphans = async (store: Store, limit = 100): Promise<string[]> =>
  (await orphanedHolds(store.reads, { now: await store.now(), silence: 10, limit })).sort();

onEveryStore((open) => {
  test('a beat is not undone by one that was held up, but a clock that was set back is followed', async () => {
    const store = await open();
    const now = await store.now();
    const beatAt = async (at: number): Promise<unknown> => {
      await heartbeat({ ...store, now: async () => at }, 'me');
      return (await store.reads.selectFrom('processes').select('heartbeat_at').executeTakeFirstOrThrow()).heartbeat_at;
    };
    assert.equal(await beatAt(now), now);
    assert.equal(await beatAt(now - 30), now);
    assert.equal(await beatAt(now - 3_500), now - 3_500);
    assert.equal(await beatAt(now), now);
  });

  test('open holds of silent and of unknown processes are orphans, those of living ones are not', async () => {
    const store = await open();
    await withMoney(store);
    const later = (await store.now()) + 900;
    await heartbeat(store, 'alive');
    await silence(store, 'slow', 8);
    await silence(store, 'dead', 30);
    for (const owner of ['alive', 'slow', 'dead', 'unheard-of']) await addHold(store, `hold-${owner}`, owner, later);
    assert.deepEqual(await orphans(store), ['hold-dead', 'hold-unheard-of']);
  });

  test('a hold past its time is an orphan, whichever process made it', async () => {
    const store = await open();
    await withMoney(store);
    const now = await store.now();
    await heartbeat(store, 'alive');
    await addHold(store, 'expired', 'alive', now - 5);
    await addHold(store, 'running', 'alive', now + 60);
    assert.deepEqual(await orphans(store), ['expired']);
  });

  test('an ended hold is no orphan', async () => {
    const store = await open();
    await withMoney(store);
    await addHold(store, 'settled', 'dead', 5);
    await addHold(store, 'released', 'dead', 5);
    await store.commit(endOperation('settled', 1n));
    await store.commit(endOperation('released', null));
    assert.deepEqual(await orphans(store), []);
  });

  test('a heartbeat brings a silent process back, a removed one leaves its holds to others', async () => {
    const store = await open();
    await withMoney(store);
    await silence(store, 'a', 30);
    await addHold(store, 'hold-a', 'a', (await store.now()) + 900);
    assert.deepEqual(await orphans(store), ['hold-a']);
    await heartbeat(store, 'a');
    assert.deepEqual(await orphans(store), []);
    await removeProcess(store, 'a');
    assert.deepEqual(await orphans(store), ['hold-a']);
  });

  test('a heartbeat keeps the time of start and forgets processes that were silent for very long', async () => {
    const store = await open();
    await silence(store, 'a', 30);
    await silence(store, 'ancient', 100_000);
    await heartbeat(store, 'a');
    const rows = await store.reads.selectFrom('processes').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => row.id),
      ['a'],
    );
    const now = await store.now();
    assert.ok((rows[0]?.heartbeat_at ?? 0) >= now - 2);
    assert.ok((rows[0]?.started_at ?? 0) <= now - 28);
  });

  test('no more orphans are named than were asked for', async () => {
    const store = await open();
    await withMoney(store);
    for (let index = 0; index < 5; index++) await addHold(store, `h${index}`, 'dead', 5);
    assert.equal((await orphans(store, 3)).length, 3);
  });
});
