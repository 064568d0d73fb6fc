import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { GatewayError } from '../errors/gateway-error.ts';
import { BodyBudget } from './body-budget.ts';

describe('a budget for bodies', () => {
  test('never lets more in than fits, save one that is larger alone, and lets all in by and by', async () => {
    const property = fc.asyncProperty(fc.array(fc.nat({ max: 150 }), { maxLength: 40 }), async (sizes) => {
      const budget = new BodyBudget(100);
      const order: number[] = [];
      let used = 0;
      await Promise.all(
        sizes.map(async (bytes, index) => {
          const release = await budget.acquire(bytes);
          order.push(index);
          assert.ok(used === 0 || used + bytes <= 100);
          used += bytes;
          await nextRound();
          used -= bytes;
          release();
          release();
        }),
      );
      assert.deepEqual(order, [...sizes.keys()], 'first come, first served');
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test('one that waits may leave, and those behind it move up', async () => {
    const budget = new BodyBudget(10);
    const release = await budget.acquire(6);
    const leaving = new AbortController();
    const large = budget.acquire(9, leaving.signal);
    const small = budget.acquire(4);
    assert.equal(await Promise.race([small, wait(5, 'waits')]), 'waits');
    leaving.abort();
    await assert.rejects(large, (error) => error instanceof GatewayError && error.code === 'client_gone');
    (await small)();
    release();
    (await budget.acquire(10))();
    await assert.rejects(budget.acquire(1, AbortSignal.abort()), GatewayError);
  });

  test('one token takes at most half, and keeps no other waiting behind it', async () => {
    const budget = new BodyBudget(100);
    const first = await budget.acquire(30, undefined, 'greedy');
    await budget.acquire(20, undefined, 'greedy');
    const third = budget.acquire(5, undefined, 'greedy');
    (await budget.acquire(50, undefined, 'other'))();
    assert.equal(await Promise.race([third, wait(5, 'waits')]), 'waits');
    first();
    (await third)();
    (await budget.acquire(80, undefined, 'large'))(); // alone it may have more
  });

  test('what turned out smaller gives the rest back', async () => {
    const budget = new BodyBudget(100);
    const release = await budget.acquire(90);
    const waiting = budget.acquire(60);
    assert.equal(await Promise.race([waiting, wait(5, 'waits')]), 'waits');
    release(40);
    (await waiting)();
    release(50); // never more than it has
    (await budget.acquire(60))();
    release();
    (await budget.acquire(100))();
  });

  test('leaving after it was let in changes nothing', async () => {
    const budget = new BodyBudget(10);
    const leaving = new AbortController();
    const release = await budget.acquire(10, leaving.signal);
    leaving.abort();
    assert.equal(await Promise.race([budget.acquire(1), wait(5, 'waits')]), 'waits');
    release();
  });
});
