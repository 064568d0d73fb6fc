import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

/** Rounds begin when the test says so. */
function makeQueue({ perRound = 2, mostWaiting = 10 } = {}) {
  const clock = { now: 0, capacity: Infinity };
  const rounds: (() => void)[] = [];
  const queue = new FairQueue({
    perRound,
    mostWaiting,
    maxWaitMs: 1_000,
    roundMs: 5,
    standingMs: 100,
    capacity: () => clock.capacity,
    now: () => clock.now,
    nextRound: (work) => rounds.push(work),
  });
  const begun: string[] = [];
  const ask = (caller: string): void => {
    const slot = queue.take(caller);
    if (slot === undefined) begun.push(caller);
    else
      slot.then(
        () => begun.push(caller),
        (error: { code: string }) => begun.push(`${caller} ${error.code}`),
      );
  };
  const round = async (): Promise<void> => {
    rounds.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, clock, begun, ask, round, rounds };
}

test('without a burst nobody waits, and nothing goes on when nothing is left to do', async () => {
  const { begun, ask, round, rounds, queue } = makeQueue();
  for (let count = 0; count < 3; count++) {
    ask('a');
    ask('b');
    assert.equal(queue.waiting, 0);
    await round();
  }
  assert.equal(begun.length, 6);
  await round();
  assert.equal(rounds.length, 0);
});

test('a round is called for half of what may begin, not for every request', async () => {
  const { begun, ask, round, rounds } = makeQueue({ perRound: 4 });
  ask('a');
  assert.equal(rounds.length, 0);
  ask('a');
  assert.equal(rounds.length, 1);
  for (let count = 0; count < 4; count++) ask('a');
  assert.equal(begun.length, 4, 'never more than may begin in one round');
  await round();
  assert.equal(begun.length, 6);
});

test('where there is little capacity, what has begun long ago takes none of it from a lone caller', async () => {
  const { clock, begun, ask, round, queue } = makeQueue({ perRound: 8 });
  clock.capacity = 2;
  for (let count = 0; count < 6; count++) {
    ask('a');
    assert.equal(queue.waiting, 0, `request ${count + 1}`);
    await round();
  }
  assert.equal(begun.length, 6);
});

test('a burst of one caller delays another by one round, not by the length of the burst (promise B-09)', async () => {
  const { begun, ask, round } = makeQueue();
  for (let count = 0; count < 6; count++) ask('loud');
  ask('quiet');
  assert.deepEqual(begun, ['loud', 'loud']);
  await round();
  assert.deepEqual(begun.slice(2), ['loud', 'quiet']);
  await round();
  await round();
  assert.deepEqual(begun.slice(4), ['loud', 'loud', 'loud']);
});

test('callers with as much to do get as much, in the order of their requests', async () => {
  const { begun, ask, round } = makeQueue({ perRound: 3 });
  for (const caller of ['x', 'x', 'x', 'a', 'a', 'b', 'b', 'c', 'c']) ask(caller);
  await round();
  await round();
  assert.deepEqual(begun, ['x', 'x', 'x', 'a', 'b', 'c', 'a', 'b', 'c']);
});

test('queues are bounded: one caller gets half of the capacity, and others still find some', async () => {
  const { queue, ask } = makeQueue({ mostWaiting: 10 });
  for (let count = 0; count < 2; count++) ask('loud');
  for (let count = 0; count < 5; count++) ask('loud');
  assert.throws(() => queue.take('loud'), { code: 'overloaded', status: 503 });
  ask('quiet');
  ask('quiet');
  assert.equal(queue.waiting, 7);
  assert.throws(() => queue.take('loud'), { code: 'overloaded' });
});

test('who has waited too long is refused instead of begun', async () => {
  const { clock, begun, ask, round } = makeQueue({ perRound: 1 });
  for (const caller of ['a', 'a', 'b']) ask(caller);
  clock.now = 1_001;
  ask('c');
  await round();
  assert.deepEqual(begun, ['a', 'a overloaded', 'b overloaded', 'c']);
});

test('a long round lets fewer begin, and never nobody', async () => {
  const { clock, begun, ask, round } = makeQueue({ perRound: 4, mostWaiting: 100 });
  const begunIn = async (ms: number): Promise<number> => {
    const before = begun.length;
    clock.now += ms;
    await round();
    return begun.length - before;
  };
  for (let count = 0; count < 24; count++) ask('a');
  assert.equal(begun.length, 4);
  assert.equal(await begunIn(1), 4);
  assert.equal(await begunIn(10), 2);
  assert.equal(await begunIn(200), 1);
  assert.equal(await begunIn(5), 4);
});

test('without capacity nothing begins and no round goes on; then the caller that has waited least often comes first', async () => {
  const { clock, begun, ask, round, rounds, queue } = makeQueue();
  clock.capacity = 0;
  for (const caller of ['loud', 'loud', 'loud', 'quiet']) ask(caller);
  await round();
  assert.deepEqual([begun.length, rounds.length, queue.waiting], [0, 0, 4]);
  clock.capacity = 1;
  queue.lookAgain();
  await round();
  assert.deepEqual(begun, ['loud']);
  await round();
  assert.deepEqual(begun, ['loud', 'quiet']);
});

test('a line that stands is kept short, and one that came to an end meanwhile is not (promise B-08)', async () => {
  const { clock, begun, ask, round, queue } = makeQueue({ perRound: 1, mostWaiting: 100 });
  clock.capacity = 0;
  ask('a');
  clock.now = 950;
  ask('a');
  clock.now = 1_001;
  ask('a');
  queue.lookAgain();
  await round();
  assert.deepEqual(begun, ['a overloaded'], 'after its whole wait');
  clock.now = 1_060;
  queue.lookAgain();
  await round();
  assert.deepEqual(begun, ['a overloaded', 'a overloaded'], 'the line has stood for a second: 100 ms are enough');
  clock.capacity = 5;
  queue.lookAgain();
  await round();
  assert.deepEqual(begun.at(-1), 'a');
  assert.equal(queue.waiting, 0);
  clock.capacity = 0;
  clock.now = 2_000;
  ask('b');
  clock.now = 2_500;
  queue.lookAgain();
  await round();
  assert.equal(queue.waiting, 1, 'a new queue has all its time');
});
