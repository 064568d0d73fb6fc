import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopInOrder } from './stop-in-order.ts';

test('every part is stopped in its order, whatever fails before it, and all failures are reported', async () => {
  const done: string[] = [];
  const heard: string[] = [];
  const step = (name: string, work: () => unknown = () => {}) =>
    [
      name,
      async () => {
        done.push(name);
        await work();
      },
    ] as const;
  const stopped = stopInOrder(
    [
      step('server', () => Promise.reject(new Error('one'))),
      step('engine'),
      [
        'rates',
        () => {
          done.push('rates');
          throw new Error('two');
        },
      ],
      step('store'),
    ],
    (error, name) => heard.push(`${name}: ${(error as Error).message}`),
  );
  await assert.rejects(stopped, { message: 'could not be stopped cleanly: server, rates' });
  assert.deepEqual(done, ['server', 'engine', 'rates', 'store']);
  assert.deepEqual(heard, ['server: one', 'rates: two']);
  await stopInOrder([step('store')], () => assert.fail('nothing failed'));
});
