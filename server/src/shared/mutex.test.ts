import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
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
      await turn();
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

test('whoever comes while the lock is handed over waits its turn', async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  await mutex.lock();
  const second = mutex.lock().then(() => order.push('second'));
  mutex.unlock();
  const third = mutex.lock().then(() => order.push('third'));
  await second;
  await turn();
  assert.deepEqual(order, ['second']);
  mutex.unlock();
  await third;
  assert.deepEqual(order, ['second', 'third']);
});
