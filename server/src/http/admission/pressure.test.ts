import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { LoadWatch } from './pressure.ts';

function prepare(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const world = { now: 5_000, begins: [] as [number, number][], late: [] as number[], samples: 0, isAtRest: true };
  const watch = new LoadWatch({
    onBegin: (now, missed) => world.begins.push([now, missed]),
    onLook: (lateMs) => world.late.push(lateMs),
    onSample: () => world.samples++,
    isAtRest: () => world.isAtRest,
    now: () => world.now,
  });
  t.after(() => watch.stop());
  const pass = (milliseconds: number): void => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      world.now += 10;
      t.mock.timers.tick(10);
    }
  };
  return { world, watch, pass };
}

test('an idle process has nothing to look at', (t) => {
  const { world, pass } = prepare(t);
  pass(10_000);
  assert.equal(world.late.length, 0);
});

test('it looks a hundred times a second from the first request until two seconds after the last, and then again', (t) => {
  const { world, watch, pass } = prepare(t);
  watch.arrived();
  pass(1_000);
  watch.arrived();
  assert.deepEqual([world.begins, world.late.length, world.samples], [[[5_000, 50]], 100, 10]);
  pass(60_000);
  assert.deepEqual([world.begins, world.late.length, world.samples], [[[5_000, 50]], 310, 31]);
  watch.arrived();
  pass(100);
  const begins = [
    [5_000, 50],
    [66_000, 579],
  ];
  assert.deepEqual([world.begins, world.late.length, world.samples], [begins, 320, 32]);
  assert.deepEqual(new Set(world.late), new Set([0]), 'a rest is no delay');
});

test('as long as something is open or bounded it looks on', (t) => {
  const { world, watch, pass } = prepare(t);
  world.isAtRest = false;
  watch.arrived();
  pass(60_000);
  assert.equal(world.samples, 600);
  world.isAtRest = true;
  pass(60_000);
  assert.equal(world.samples, 601);
});

test('a look that comes too late is reported, and makes a sample of its own', (t) => {
  const { world, watch, pass } = prepare(t);
  watch.arrived();
  pass(20);
  world.now += 300;
  pass(10);
  assert.deepEqual([world.late, world.samples], [[0, 0, 300], 1]);
});
