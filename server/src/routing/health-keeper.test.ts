import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { listKeyErrors, listKeyHours, listKeyTimes } from '../store/queries/channel-key-calls.ts';
import { listCalls, listMemory, noteTest } from '../store/queries/channel-memory.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { Channel } from './channel.ts';
import { HealthKeeper } from './health-keeper.ts';
import { facts } from './testing/offered.ts';

const START = 1_800_000_000_000;

function make(store: Store, channels: Channel[]) {
  const time = { now: START };
  const clock = { now: () => time.now };
  const errors: unknown[] = [];
  const keeper = new HealthKeeper({
    store,
    clock,
    steadyClock: clock,
    channels: () => channels,
    onError: (error) => errors.push(error),
  });
  return { keeper, errors, time };
}

const channel = (id: string): Channel => new Channel(facts(id), [], { now: () => START });
const failure = { at: START, errorClass: 'overloaded', status: 500, message: '500: no.' };

onEveryStore((open) => {
  test('calls of several processes add up; the last error and answer are remembered (contract 2)', async () => {
    const store = await open();
    const [one, other] = [channel('a'), channel('a')];
    const [first, second] = [make(store, [one]), make(store, [other])];
    for (const each of [one, other]) {
      each.record.of('k').succeed(100, START);
      each.record.of('k').succeed(100, START + 2_000);
      each.record.of('k').fail(failure);
    }
    await Promise.all([first.keeper.flush(), second.keeper.flush()]);
    await first.keeper.flush();
    assert.deepEqual(
      (await listCalls(store.reads, ['a'], START / 1000)).map(({ calls }) => calls),
      [2, 4],
    );
    const [memory] = await listMemory(store.reads, ['a']);
    assert.deepEqual(
      [memory?.success_at, memory?.error_at, memory?.error_class, memory?.error_status, memory?.error_message],
      [START / 1000 + 2, START / 1000, 'overloaded', 500, '500: no.'],
    );
    assert.deepEqual([...first.errors, ...second.errors], []);
  });

  test('keys of a channel are counted apart, with what was charged; the channel is their sum (contract 2)', async () => {
    const store = await open();
    const one = channel('a');
    const { keeper } = make(store, [one]);
    one.record.of('k1').succeed(100, START);
    one.record.of('k1').charge(7n);
    one.record.of('k2').succeed(100, START);
    one.record.of('k2').fail(failure);
    await keeper.flush();
    one.record.of('k1').charge(9_007_199_254_740_993n); // also where no call ended meanwhile: videos are charged later
    await keeper.flush();
    const now = START / 1000;
    const hours = await listKeyHours(store.reads, ['a'], now);
    assert.deepEqual(
      hours
        .sort((a, b) => (a.key_id < b.key_id ? -1 : 1))
        .map((row) => [row.key_id, row.answered, row.failed, row.amount]),
      [
        ['k1', 1, 0, 9_007_199_254_741_000n],
        ['k2', 1, 1, 0n],
      ],
    );
    assert.deepEqual((await listKeyTimes(store.reads, ['a'], now)).length, 4);
    assert.deepEqual(
      (await listKeyErrors(store.reads, ['a'])).map(({ key_id, error_message }) => [key_id, error_message]),
      [['k2', '500: no.']],
    );
    assert.deepEqual(
      (await listCalls(store.reads, ['a'], now)).map(({ calls }) => calls),
      [1, 2],
    );
  });

  test('calls of more than a day ago are forgotten', async () => {
    const store = await open();
    const one = channel('a');
    const { keeper, time } = make(store, [one]);
    one.record.of('k').succeed(5, START);
    await keeper.flush();
    time.now += 25 * 3_600_000;
    await keeper.flush();
    for (const table of ['channel_calls', 'channel_key_calls'] as const)
      assert.deepEqual(await store.reads.selectFrom(table).selectAll().execute(), []);
  });

  test('a stream that broke after it had begun counts as one failed call, also when its beginning is written down', async () => {
    const store = await open();
    const one = channel('a');
    const { keeper } = make(store, [one]);
    one.record.of('k').succeed(100, START);
    await keeper.flush();
    one.record.of('k').unsucceed(100);
    one.record.of('k').fail(failure);
    await keeper.flush();
    const calls = await listCalls(store.reads, ['a'], START / 1000);
    assert.deepEqual(
      calls.map(({ bucket, calls: count }) => [bucket < 0, count]),
      [
        [true, 1],
        [false, 0],
      ],
    );
  });

  test('what the store could not take is written with the next round', async () => {
    const store = await open();
    const one = channel('a');
    one.record.of('k').succeed(5, START);
    one.record.of('k').fail(failure);
    const away = { ...store, transaction: () => Promise.reject(new Error('away')) } as Store;
    const broken = make(away, [one]);
    await broken.keeper.flush();
    assert.equal(broken.errors.length, 1);
    await make(store, [one]).keeper.flush();
    assert.deepEqual(
      (await listCalls(store.reads, ['a'], START / 1000)).map(({ calls }) => calls),
      [1, 1],
    );
  });

  test('words of an upstream that no database takes stop neither their channel nor others (promise B-01)', async () => {
    const store = await open();
    const [bad, good] = [channel('a'), channel('b')];
    const { keeper, errors } = make(store, [bad, good]);
    bad.record.of('k').fail({ ...failure, message: '500: a\0b\ud800.' });
    good.record.of('k').fail(failure);
    await keeper.flush();
    const test = { test_at: 1, test_ok: 0, test_status: 500, test_ms: 1, test_model: 'm' } as const;
    await noteTest(store, { channel_id: 'a', ...test, test_message: 'a\0b\udc00' });
    assert.deepEqual(errors, []);
    const [first] = await listMemory(store.reads, ['a']);
    const [second] = await listMemory(store.reads, ['b']);
    assert.deepEqual([first?.error_message, first?.test_message], ['500: ab\ufffd.', 'ab\ufffd']);
    assert.deepEqual([second?.error_message, second?.test_message], ['500: no.', null]);
  });

  test('a round takes few statements, since holds wait for the same writer (promise B-01)', async () => {
    const store = await open();
    const channels = Array.from({ length: 20 }, (_, index) => channel(`c${index}`));
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements++;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const watched = {
      ...store,
      transaction: (work: Parameters<Store['transaction']>[0]) =>
        store.transaction((transaction) => work(transaction.withPlugin(counting))),
    } as Store;
    const { keeper, errors } = make(watched, channels);
    const round = async (at: number): Promise<void> => {
      for (const each of channels) {
        for (const ms of [10, 100, 1_000, 10_000]) each.record.of('k').succeed(ms, at);
        each.record.of('k').fail({ ...failure, at });
      }
      await keeper.flush();
    };
    await round(START);
    statements = 0;
    await round(START + 1_000);
    assert.deepEqual([errors, statements], [[], 5]);
    const ids = channels.map(({ facts: { id } }) => id);
    const calls = await listCalls(store.reads, ids, START / 1000);
    assert.deepEqual([calls.length, new Set(calls.map(({ calls: count }) => count))], [100, new Set([2])]);
    for (const { success_at, error_at } of await listMemory(store.reads, ids))
      assert.deepEqual([success_at, error_at], [START / 1000 + 1, START / 1000 + 1]);
    await round(START - 9_000);
    const [memory] = await listMemory(store.reads, ['c3']);
    assert.deepEqual([memory?.success_at, memory?.error_at], [START / 1000 + 1, START / 1000 + 1], 'the latest stays');
  });
});
