import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCalls, listMemory } from '../store/queries/channel-memory.ts';
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
  test('calls of several processes add up; the last error and answer are remembered (issue 29)', async () => {
    const store = await open();
    const [one, other] = [channel('a'), channel('a')];
    const [first, second] = [make(store, [one]), make(store, [other])];
    for (const each of [one, other]) {
      each.record.succeed(100, START);
      each.record.succeed(100, START + 2_000);
      each.record.fail(failure);
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

  test('calls of more than a day ago are forgotten', async () => {
    const store = await open();
    const one = channel('a');
    const { keeper, time } = make(store, [one]);
    one.record.succeed(5, START);
    await keeper.flush();
    time.now += 25 * 3_600_000;
    await keeper.flush();
    assert.deepEqual(await store.reads.selectFrom('channel_calls').selectAll().execute(), []);
  });

  test('a stream that broke after it had begun counts as one failed call, also when its beginning is written down', async () => {
    const store = await open();
    const one = channel('a');
    const { keeper } = make(store, [one]);
    one.record.succeed(100, START);
    await keeper.flush();
    one.record.unsucceed(100);
    one.record.fail(failure);
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
    one.record.succeed(5, START);
    one.record.fail(failure);
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
});
