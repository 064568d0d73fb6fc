import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { GatewayError } from '../errors/gateway-error.ts';
import { BodyBudget, type Holder } from './body-budget.ts';

const by = (owner: string | undefined, more: Partial<Holder> = {}): { holder: Holder } => ({
  holder: { owner, held: 0, ...more },
});
const waits = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, wait(5, 'waits')])) === 'waits';

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
    const large = budget.acquire(9, { signal: leaving.signal });
    const small = budget.acquire(4);
    assert.equal(await Promise.race([small, wait(5, 'waits')]), 'waits');
    leaving.abort();
    await assert.rejects(large, (error) => error instanceof GatewayError && error.code === 'client_gone');
    (await small)();
    release();
    (await budget.acquire(10))();
    await assert.rejects(budget.acquire(1, { signal: AbortSignal.abort() }), GatewayError);
  });

  test('one token takes at most half, and keeps no other waiting behind it', async () => {
    const budget = new BodyBudget(100);
    const first = await budget.acquire(30, by('greedy'));
    await budget.acquire(20, by('greedy'));
    const third = budget.acquire(5, by('greedy'));
    (await budget.acquire(50, by('other')))();
    assert.equal(await Promise.race([third, wait(5, 'waits')]), 'waits');
    first();
    (await third)();
    (await budget.acquire(80, by('large')))(); // alone it may have more
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

  test('who has some gets more at once or is refused: two that waited with what they have would wait for ever', async () => {
    const budget = new BodyBudget(100);
    const [first, second] = [by('a'), by('b')];
    await budget.acquire(40, first);
    const release = await budget.acquire(40, second);
    await budget.acquire(10, first);
    await assert.rejects(budget.acquire(20, second), { code: 'overloaded', status: 503 });
    assert.deepEqual([first.holder.held, second.holder.held], [50, 40]);
    release();
    await budget.acquire(50, second);
    assert.equal(second.holder.held, 50);
  });

  test('one that has some already may have all, where it is alone', async () => {
    const budget = new BodyBudget(100);
    const alone = by('a');
    await budget.acquire(40, alone);
    (await budget.acquire(50, alone))();
    (await budget.acquire(80, alone))();
    await budget.acquire(10, by('a'));
    await assert.rejects(budget.acquire(20, alone), { code: 'overloaded' });
    await budget.acquire(20, by('b'));
  });

  test('what is needed for a moment only is not counted as a share of its token', async () => {
    const budget = new BodyBudget(100);
    const first = await budget.acquire(60, { ...by('a'), lasting: 20 });
    const second = budget.acquire(60, { ...by('a'), lasting: 20 });
    assert.ok(await waits(second));
    first(20);
    (await second)(20);
    assert.ok(await waits(budget.acquire(60, { ...by('a'), lasting: 20 })));
  });

  test('those that yield keep nobody else waiting, and do not pass each other', async () => {
    const budget = new BodyBudget(100);
    const lines = (): { holder: Holder } => by('lines', { yields: true });
    const live = await budget.acquire(60, by('a'));
    const large = budget.acquire(90, lines());
    const small = budget.acquire(10, lines());
    assert.ok(await waits(Promise.race([large, small])));
    const waiting = budget.acquire(70, by('b'));
    live();
    const other = await waiting;
    assert.ok(await waits(Promise.race([large, small])));
    other();
    const release = await large; // more than half, as it is alone
    assert.ok(await waits(small));
    (await budget.acquire(10, by('a')))();
    release();
    (await small)();
  });

  test('leaving after it was let in changes nothing', async () => {
    const budget = new BodyBudget(10);
    const leaving = new AbortController();
    const release = await budget.acquire(10, { signal: leaving.signal });
    leaving.abort();
    assert.equal(await Promise.race([budget.acquire(1), wait(5, 'waits')]), 'waits');
    release();
  });
});
