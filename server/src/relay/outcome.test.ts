import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from '../billing/ledger.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import type { CallEnd, ClientReply, RelayCall } from './call.ts';
import { releaseCall, settleCall } from './outcome.ts';

const AT = 1_770_000_000;
const ROW: RequestRow = {
  id: 'a',
  account_id: 'acc',
  token_id: 'tok',
  group_name: 'default',
  endpoint: '/v1/responses',
  model: 'm',
  channel_id: 'ch',
  status: 200,
  error_code: null,
  attempts: '[]',
  first_byte_ms: 3,
  total_ms: 5,
  usage: null,
  usage_source: 'upstream',
  charge: 4n,
  arithmetic: null,
  mode: 'live',
  created_at: AT,
};
const FAILED: RequestRow = { ...ROW, status: 503, error_code: 'overloaded', charge: 0n, usage_source: null };
const channelKey = { channelId: 'ch', keyId: 'k' };
const request = { model: 'm' } as RelayRequest; // carried through, never read
const CHARGED_LATER = { code: 'overloaded', message: /will be charged.*only if you need another answer/ };
const IS_AWAY = (): Promise<boolean> => Promise.reject(new Error('the store is away'));

interface World {
  store: Store;
  ledger: Ledger;
  counted: string[];
  metrics: { ended(row: RequestRow): void };
}

/** An account with 100 of which 10 are held. */
async function held(store: Store): Promise<World> {
  await addAccount(store, { id: 'acc', balance: 100n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const ledger = new Ledger({ store, clock: { now: () => AT * 1_000 }, owner: 'proc_1' });
  const price = '{"price":{"unit":"request","amount":"1"},"multiplier":"1"}';
  const hold = { requestId: 'a', accountId: 'acc', tokenId: 'tok', mode: 'live', amount: 10n, price } as const;
  await ledger.hold({ ...hold, lifetime: 900 });
  const counted: string[] = [];
  return { store, ledger, counted, metrics: { ended: ({ id, charge }) => void counted.push(`${id} ${charge}`) } };
}

function callWith(
  defer: ((end: CallEnd) => Promise<boolean>) | undefined,
  { begun = false, gone = false } = {},
): Pick<RelayCall, 'settlement' | 'affinity' | 'reply'> {
  const reply = { begun, gone } as ClientReply; // the rest is the relay's business
  return {
    reply,
    affinity: { only: undefined, taken: channelKey },
    ...(defer !== undefined && { settlement: { defer } }),
  };
}

/** [used, held] of the token, [balance] of the account. */
async function money({ store }: World): Promise<[bigint, bigint, bigint]> {
  const { used, held } = await store.reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
  const { balance } = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  return [used, held, balance];
}

onEveryStore((open) => {
  test('a call without a settlement of its own ends with its answer, and is counted once (promise M-01)', async () => {
    const settled = await held(await open());
    await settleCall(settled, callWith(undefined), { row: ROW, request, answer: undefined });
    assert.deepEqual([await money(settled), settled.counted], [[4n, 0n, 96n], ['a 4']]);
    const released = await held(await open());
    await releaseCall(released, callWith(undefined), { row: FAILED, request, answer: undefined });
    assert.deepEqual([await money(released), released.counted], [[0n, 0n, 100n], ['a 0']]);
  });

  test('an end that is deferred ends nothing and is not counted; the settlement gets all that is known', async () => {
    const world = await held(await open());
    const ends: CallEnd[] = [];
    const call = callWith(async (end) => ends.push(end) > 0);
    const answer = Buffer.from('{}');
    await settleCall(world, call, { row: ROW, request, answer });
    await releaseCall(world, call, { row: FAILED, request, answer: undefined });
    assert.deepEqual([await money(world), world.counted], [[0n, 10n, 90n], []]);
    assert.deepEqual(ends, [
      { kind: 'settle', row: ROW, request, answer, channelKey },
      { kind: 'release', row: FAILED, request, answer: undefined, channelKey },
    ]);
  });

  test('an end that is not deferred ends as always', async () => {
    const world = await held(await open());
    await settleCall(
      world,
      callWith(async () => false),
      { row: ROW, request, answer: undefined },
    );
    assert.deepEqual([await money(world), world.counted], [[4n, 0n, 96n], ['a 4']]);
  });

  test('what was delivered stays due when its end cannot even be deferred (promise M-07)', async () => {
    for (const reply of [{ begun: true }, { gone: true }]) {
      const world = await held(await open());
      const call = callWith(IS_AWAY, reply);
      await assert.rejects(settleCall(world, call, { row: ROW, request, answer: undefined }), CHARGED_LATER);
      await releaseCall(world, call, { row: FAILED, request, answer: undefined });
      await world.ledger.finishEnds();
      assert.deepEqual(await money(world), [4n, 0n, 96n]);
    }
  });

  test('what should have been deferred and could not is released, but never taken for settled', async () => {
    const world = await held(await open());
    await assert.rejects(
      settleCall(world, callWith(IS_AWAY), { row: ROW, request, answer: undefined }),
      /the store is away/,
    );
    assert.deepEqual(await money(world), [0n, 10n, 90n]);
    await releaseCall(world, callWith(IS_AWAY), { row: FAILED, request, answer: undefined });
    assert.deepEqual([await money(world), world.counted], [[0n, 0n, 100n], ['a 0']]);
  });

  test('an answer whose hold somebody else ended does not go out', async () => {
    const world = await held(await open());
    await world.ledger.release(FAILED);
    const settling = settleCall(world, callWith(undefined), { row: ROW, request, answer: undefined });
    await assert.rejects(settling, { code: 'overloaded', message: /took too long/ });
    assert.deepEqual(world.counted, []);
  });
});
