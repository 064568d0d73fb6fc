// Contract-2 7: responses that the gateway keeps are sealed, owned, chained and forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Reserve } from '../../shared/reserve-memory.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import { forgetKeptResponses } from '../../store/queries/kept-responses.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { KeptResponses } from './kept-responses.ts';

const START = 1_760_000_000;
const DAY = 86_400;
const MIB = 1024 * 1024;
const unbounded = async () => () => {};
const owner = { accountId: 'acc', mode: 'live' } as const;

function setUp(store: Store, days = 30) {
  const time = { now: START };
  const clock = { now: () => time.now * 1000 };
  const box = makeSecretBox('a master secret');
  const kept = new KeptResponses({ store, box, clock, days, maxBytes: 4 * MIB });
  const keep = (id: string, previous?: string, mode: 'live' | 'test' = 'live'): Promise<void> =>
    kept.keep(
      { accountId: 'acc', mode },
      { id, previous, model: 'm', kept: { response: { id, output: ['secret plan'] }, input: [{ of: id }] } },
    );
  return { kept, keep, time };
}

onEveryStore((open) => {
  test('they are found by their account, real ones not by test tokens, and nothing of them is readable', async () => {
    const store = await open();
    const { kept, keep } = setUp(store);
    await keep('a');
    await keep('t', undefined, 'test');
    assert.deepEqual((await kept.read(owner, 'a', unbounded))?.input, [{ of: 'a' }]);
    assert.equal(await kept.find({ accountId: 'other', mode: 'live' }, 'a'), undefined);
    assert.equal(await kept.find({ accountId: 'acc', mode: 'test' }, 'a'), undefined);
    assert.equal((await kept.find({ accountId: 'acc', mode: 'test' }, 't'))?.model, 'm');
    const row = await store.reads.selectFrom('kept_responses').selectAll().where('id', '=', 'a').executeTakeFirst();
    assert.ok(!Buffer.from(row?.sealed ?? []).includes('secret'));
    await kept.forget(owner, 'a');
    assert.equal(await kept.find(owner, 'a'), undefined);
  });

  test('a conversation is all of its responses, oldest first, and ends where one was deleted', async () => {
    const { kept, keep } = setUp(await open());
    await keep('a');
    await keep('b', 'a');
    await keep('c', 'b');
    await keep('other', 'a');
    const ids = (await kept.chain(owner, 'c', unbounded))?.turns.map(({ response }) => response['id']);
    assert.deepEqual(ids, ['a', 'b', 'c']);
    await kept.forget(owner, 'a');
    await assert.rejects(kept.chain(owner, 'c', unbounded), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.status, error.details.param], [404, 'previous_response_id']);
      return true;
    });
    await assert.rejects(kept.history(owner, 'c', unbounded), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.status, error.details.param], [404, undefined]);
      return true;
    });
    assert.equal(await kept.chain(owner, 'a', unbounded), undefined);
    assert.equal(await kept.history(owner, 'a', unbounded), undefined);
  });

  test('what nobody uses is forgotten, and all of a conversation lives as long as it is used', async () => {
    const store = await open();
    const { kept, keep, time } = setUp(store);
    await keep('a');
    await keep('b', 'a');
    await keep('c');
    time.now += 29 * DAY;
    await kept.chain(owner, 'b', unbounded);
    time.now += 2 * DAY;
    assert.equal(await kept.find(owner, 'c'), undefined);
    assert.equal(await forgetKeptResponses(store, time.now - 30 * DAY), false);
    const rows = await store.reads.selectFrom('kept_responses').select('id').orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['a', 'b'],
    );
  });

  test('nothing is unpacked before there is memory for it, and a conversation that would be too large whole is 413 (promise B-03)', async () => {
    const { kept } = setUp(await open());
    const turn = async (id: string, previous: string | undefined): Promise<void> => {
      const input = [{ role: 'user', content: 'x'.repeat(1.5 * MIB) }];
      await kept.keep(owner, { id, previous, model: 'm', kept: { response: { id, output: [] }, input } });
    };
    await turn('a', undefined);
    await turn('b', 'a');
    await turn('c', 'b');
    const asked: number[] = [];
    const full = new GatewayError('overloaded');
    const reserve: Reserve = async (bytes) => {
      asked.push(bytes);
      if (bytes > MIB) throw full;
      return () => {};
    };
    await assert.rejects(kept.chain(owner, 'b', reserve), full);
    await assert.rejects(kept.read(owner, 'b', reserve), full);
    assert.ok((asked[1] ?? 0) >= 6 * MIB && (asked[3] ?? 0) >= 3 * MIB, `asked for ${asked.join(', ')} bytes`);
    assert.equal((await kept.chain(owner, 'b', unbounded))?.turns.length, 2);
    await assert.rejects(kept.chain(owner, 'c', unbounded), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.status, error.details.param], [413, 'previous_response_id']);
      return true;
    });
    assert.equal((await kept.history(owner, 'c', unbounded))?.length, 3, 'what was made can be listed (contract-2 7)');
  });

  test('who waits for memory to unpack in has given back what it had, and the rest is given back by its reader (promise B-03)', async () => {
    const { kept } = setUp(await open());
    const input = [{ role: 'user', content: 'x'.repeat(1.5 * MIB) }];
    await kept.keep(owner, { id: 'a', previous: undefined, model: 'm', kept: { response: { id: 'a' }, input } });
    let held = 0;
    let lastingBytes = 0;
    const reserve: Reserve = async (bytes, lasting = bytes) => {
      assert.equal(held, 0);
      held = bytes;
      lastingBytes = lasting;
      return (left = 0) => void (held = left);
    };
    const conversation = await kept.chain(owner, 'a', reserve);
    assert.ok(
      held > 3 * lastingBytes - 10 && lastingBytes > 1.5 * MIB,
      `${held} bytes, of which ${lastingBytes} should last`,
    );
    conversation?.release(lastingBytes);
    assert.equal(held, lastingBytes);
  });

  test('how long a conversation is takes no reading of it, unless an older version kept it (contract-2 8)', async () => {
    const store = await open();
    const { kept, keep, time } = setUp(store);
    await keep('a');
    await keep('b', 'a');
    await keep('c', 'b');
    const [one, two, three] = [await kept.size(owner, 'a'), await kept.size(owner, 'b'), await kept.size(owner, 'c')];
    assert.ok(one !== undefined && one.inputBytes > 0 && one.mediaCount === 0);
    assert.deepEqual([two?.inputBytes, three?.inputBytes], [2 * one.inputBytes, 3 * one.inputBytes]);
    const unmeasured = { input_bytes: null, media_count: null };
    for (const unmeasuredIds of [['c'], ['b', 'c'], ['a', 'b', 'c']]) {
      await store.transaction((transaction) =>
        transaction.updateTable('kept_responses').set(unmeasured).where('id', 'in', unmeasuredIds).execute(),
      );
      assert.deepEqual(await kept.size(owner, 'c'), three);
    }
    await keep('d', 'c');
    assert.equal((await kept.size(owner, 'd'))?.inputBytes, 4 * one.inputBytes);
    assert.equal(await kept.size({ accountId: 'other', mode: 'live' }, 'c'), undefined);
    assert.equal(await kept.size({ accountId: 'acc', mode: 'test' }, 'c'), undefined);
    assert.equal(await kept.size(owner, 'nobody'), undefined);
    time.now += 31 * DAY;
    assert.equal(await kept.size(owner, 'c'), undefined);
  });
});
