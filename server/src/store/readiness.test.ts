// Probes reveal whether the store answers, and do not load it (promise O-09).
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Readiness } from './readiness.ts';

function watched(t: TestContext, ping: () => Promise<void>) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen = { now: 5_000, pings: 0, problem: undefined as string | undefined };
  const store = {
    writeProblem: () => seen.problem,
    ping() {
      seen.pings++;
      return ping();
    },
  };
  return { seen, readiness: new Readiness(store, { now: () => seen.now }) };
}

const ask = (readiness: Readiness, times: number): Promise<boolean[]> =>
  Promise.all(Array.from({ length: times }, () => readiness.isReady()));

test('a flood of probes is one look a second, also before the first one has ended', async (t) => {
  const { seen, readiness } = watched(t, async () => {});
  for (const second of [1, 2, 3]) {
    assert.ok((await ask(readiness, 200)).every((ready) => ready));
    seen.now += 999;
    assert.deepEqual(await ask(readiness, 2), [true, true]);
    assert.equal(seen.pings, second);
    seen.now += 1;
  }
});

test('a store that fails is not ready, and is looked at again', async (t) => {
  let isAway = true;
  const { seen, readiness } = watched(t, () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()));
  assert.deepEqual(await ask(readiness, 3), [false, false, false]);
  isAway = false;
  assert.equal(await readiness.isReady(), false, 'within the second');
  seen.now += 1_000;
  assert.equal(await readiness.isReady(), true);
  assert.equal(seen.pings, 2);
});

test('a store that hangs is given up after two seconds, once for all who ask', async (t) => {
  const { seen, readiness } = watched(t, () => new Promise(() => {}));
  const asked = ask(readiness, 50);
  t.mock.timers.tick(1_999);
  const more = ask(readiness, 50);
  t.mock.timers.tick(1);
  assert.ok([...(await asked), ...(await more)].every((ready) => !ready));
  assert.equal(seen.pings, 1);
});

test('a store that answers but does not take writes is not ready, until one succeeds (contract-2 10)', async (t) => {
  const { seen, readiness } = watched(t, async () => {});
  assert.equal(await readiness.whyNot(), undefined);
  seen.problem = 'the disk of the database is full';
  assert.equal(await readiness.whyNot(), 'the last write failed: the disk of the database is full');
  seen.problem = undefined;
  assert.equal(await readiness.whyNot(), undefined);
});
