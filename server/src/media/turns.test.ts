import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

test('each is held by one at a time, and the one used last is used next', async () => {
  const turns = new Turns(['a', 'b'], 1_000);
  const first = await turns.take();
  const second = await turns.take();
  assert.deepEqual(new Set([first, second]), new Set(['a', 'b']));
  assert.ok(first !== undefined && second !== undefined);
  turns.giveBack(second);
  turns.giveBack(first);
  assert.equal(await turns.take(), first);
});

test('who waits is served in order of coming', async () => {
  const turns = new Turns(['a'], 1_000);
  await turns.take();
  const served: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const one = await turns.take();
    served.push(number);
    turns.giveBack(one ?? 'none');
  });
  turns.giveBack('a');
  await Promise.all(waiting);
  assert.deepEqual(served, [1, 2, 3]);
});

test('who waits too long goes away with nothing, and nothing is lost by it', async () => {
  const turns = new Turns(['a'], 20);
  assert.equal(await turns.take(), 'a');
  assert.deepEqual(await Promise.all([turns.take(), turns.take()]), [undefined, undefined]);
  turns.giveBack('a');
  assert.equal(await turns.take(), 'a');
});
