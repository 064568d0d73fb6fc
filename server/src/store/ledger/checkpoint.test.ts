// A call that wrote down what it came to is charged by that when its process is gone (promise M-06).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { checkpointsOf } from '../queries/processes.ts';
import type { Store } from '../store.ts';
import { endOrphan, writeCheckpoint } from './checkpoint.ts';
import type { RequestRow } from './operations.ts';

const AT = 1_760_000_000;

const row = (id: string, charge: bigint): RequestRow => ({
  id,
  account_id: 'acc',
  token_id: 'tok',
  group_name: 'default',
  endpoint: '/v1/chat/completions',
  model: 'm',
  channel_id: 'ch',
  status: 200,
  error_code: null,
  attempts: '[]',
  first_byte_ms: 5,
  total_ms: 2_000,
  usage: '{"input_tokens":1,"output_tokens":7}',
  usage_source: 'counted',
  charge,
  arithmetic: 'so much',
  mode: 'live',
  created_at: AT,
});
const checkpoint = (id: string, charge: bigint) =>
  ({ kind: 'checkpoint', holdId: id, checkpoint: writeCheckpoint(row(id, charge)) }) as const;

async function withHold(store: Store, id: string): Promise<Store> {
  await addAccount(store, { id: 'acc', balance: 100n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  await store.commit(holdOperation({ id, account_id: 'acc', token_id: 'tok', amount: 30n }));
  return store;
}

async function moneyOf({ reads }: Store): Promise<bigint[]> {
  const { balance } = await reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  const { used, held } = await reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
  return [balance, used, held];
}

onEveryStore((open) => {
  test('the last checkpoint is what an orphan is charged, with its line in the log', async () => {
    const store = await withHold(await open(), 'a');
    for (const charge of [3n, 7n, 12n]) assert.equal(await store.commit(checkpoint('a', charge)), 'noted');
    const found = await checkpointsOf(store.reads, ['a', 'unknown']);
    const end = endOrphan('a', found.get('a') ?? null, AT + 60);
    await store.commit(end);
    await store.commit(end);
    assert.deepEqual(await moneyOf(store), [88n, 12n, 0n]);
    const logged = await store.reads.selectFrom('requests').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(logged, { ...row('a', 12n), error_code: 'orphaned', reason: null, change: logged.change });
    const entries = await store.reads
      .selectFrom('ledger')
      .select(['kind', 'note', 'usage_source'])
      .orderBy('id')
      .execute();
    assert.deepEqual(entries.slice(2), [
      { kind: 'settle', note: 'orphaned', usage_source: 'counted' },
      { kind: 'release', note: 'orphaned', usage_source: null },
    ]);
  });

  test('a settle after the sweeper is answered that it was too late', async () => {
    const store = await withHold(await open(), 'a');
    await store.commit(checkpoint('a', 5n));
    await store.commit(endOrphan('a', writeCheckpoint(row('a', 5n)), AT));
    assert.equal(await store.commit(endOperation('a', 25n)), 'released');
    assert.deepEqual(await moneyOf(store), [95n, 5n, 0n]);
  });

  test('a checkpoint that comes after the end changes nothing; without one the whole hold is given back', async () => {
    const store = await withHold(await open(), 'a');
    const both = await Promise.all([store.commit(endOperation('a', 9n)), store.commit(checkpoint('a', 20n))]);
    assert.deepEqual(both, ['settled', 'noted']);
    assert.deepEqual(await moneyOf(store), [91n, 9n, 0n]);
    await store.commit(holdOperation({ id: 'b', account_id: 'acc', token_id: 'tok', amount: 30n }));
    await store.commit(endOrphan('b', (await checkpointsOf(store.reads, ['b'])).get('b') ?? null, AT));
    assert.deepEqual(await moneyOf(store), [91n, 9n, 0n]);
  });
});
