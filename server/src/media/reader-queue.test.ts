import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReaderQueue } from './reader-queue.ts';

test('each is held by one at a time, and the one used last is used next', async () => {
  const queue = new ReaderQueue(['a', 'b'], 1_000);
  const first = await queue.take();
  const second = await queue.take();
  assert.deepEqual(new Set([first, second]), new Set(['a', 'b']));
  assert.ok(first !== undefined && second !== undefined);
  queue.giveBack(second);
  queue.giveBack(first);
  assert.equal(await queue.take(), first);
});

test('who waits is served in order of coming', async () => {
  const queue = new ReaderQueue(['a'], 1_000);
  await queue.take();
  const served: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const one = await queue.take();
    served.push(number);
    queue.giveBack(one ?? 'none');
  });
  queue.giveBack('a');
  await Promise.all(waiting);
  assert.deepEqual(served, [1, 2, 3]);
});

test('who waits too long goes away with nothing, and nothing is lost by it', async () => {
  const queue = new ReaderQueue(['a'], 20);
  assert.equal(await queue.take(), 'a');
  assert.deepEqual(await Promise.all([queue.take(), queue.take()]), [undefined, undefined]);
  queue.giveBack('a');
  assert.equal(await queue.take(), 'a');
});
