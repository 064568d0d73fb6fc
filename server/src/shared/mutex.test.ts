import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Mutex } from './mutex.ts';

test('a free lock is had at once', async () => {
  const mutex = new Mutex();
  await mutex.lock();
  mutex.unlock();
  await mutex.lock();
});

test('one at a time, first come first served', async () => {
  const mutex = new Mutex();
  const order: number[] = [];
  let inside = 0;
  const work = async (number: number): Promise<void> => {
    await mutex.lock();
    try {
      assert.equal(++inside, 1);
      await nextRound();
      order.push(number);
      inside--;
    } finally {
      mutex.unlock();
    }
  };
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  await Promise.all(numbers.map(work));
  assert.deepEqual(order, numbers);
});

test('a caller that comes while the lock is handed over waits in the queue', async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  await mutex.lock();
  const second = mutex.lock().then(() => order.push('second'));
  mutex.unlock();
  const third = mutex.lock().then(() => order.push('third'));
  await second;
  await nextRound();
  assert.deepEqual(order, ['second']);
  mutex.unlock();
  await third;
  assert.deepEqual(order, ['second', 'third']);
});

test('a caller with a time limit leaves the queue in its order', async () => {
  const mutex = new Mutex();
  assert.equal(await mutex.lockWithin(0), true);
  assert.equal(await mutex.lockWithin(0), false);
  const slow = mutex.lockWithin(60_000);
  const hasty = mutex.lockWithin(1);
  const last = mutex.lock();
  assert.equal(await hasty, false);
  mutex.unlock();
  assert.equal(await slow, true);
  mutex.unlock();
  await last;
  assert.equal(await mutex.lockWithin(0), false);
  mutex.unlock();
  assert.equal(await mutex.lockWithin(0), true);
});

test('a late event loop counts for nobody’s time limit: those before get the lock first', async () => {
  const mutex = new Mutex();
  await mutex.lock();
  const before = mutex.lock();
  const waiting = mutex.lockWithin(50);
  const until = performance.now() + 150;
  while (performance.now() < until);
  await nextRound();
  mutex.unlock();
  await before;
  for (let queue = 0; queue < 3; queue++) await nextRound();
  mutex.unlock();
  assert.equal(await waiting, true);
});
