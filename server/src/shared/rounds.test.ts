import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { nextRound } from './wait.ts';
import { pauseUntil, Rounds } from './rounds.ts';

function prepare(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const world = { now: 0, rounds: 0, pause: 1_000, gate: Promise.resolve() };
  const work = async (): Promise<number> => {
    world.rounds++;
    await world.gate;
    return world.pause;
  };
  const rounds = new Rounds(work, () => world.now);
  const pass = async (milliseconds: number): Promise<void> => {
    world.now += milliseconds;
    t.mock.timers.tick(milliseconds);
    await nextRound();
  };
  return { world, rounds, pass };
}

test('a pause until something is due is never too short, and lies within its bounds', () => {
  const bounds = { least: 250, most: 1_000 };
  assert.equal(pauseUntil(10_000, 9_500, bounds), 502);
  assert.equal(pauseUntil(10_000, 9_999, bounds), 250);
  assert.equal(pauseUntil(10_000, 8_000, bounds), 1_000);
  assert.equal(pauseUntil(Infinity, 8_000, bounds), 1_000);
});

test('each round says when the next one begins', async (t) => {
  const { world, rounds, pass } = prepare(t);
  rounds.start(100);
  await pass(99);
  assert.equal(world.rounds, 0);
  await pass(1);
  assert.equal(world.rounds, 1);
  await pass(900);
  assert.equal(world.rounds, 1);
  world.pause = 10;
  await pass(100);
  assert.equal(world.rounds, 2);
  await pass(10);
  assert.equal(world.rounds, 3);
  await rounds.stop();
});

function makeGate(world: { gate: Promise<void> }): () => void {
  let open = (): void => {};
  world.gate = new Promise((resolve) => {
    open = resolve;
  });
  return () => open();
}

test('who is woken begins soon, however often, and after the running round when there is one', async (t) => {
  const { world, rounds, pass } = prepare(t);
  rounds.wake();
  rounds.start(1_000);
  await pass(30);
  assert.equal(world.rounds, 0, 'there is nothing to wake before the start');
  rounds.wake();
  await pass(20);
  rounds.wake();
  await pass(5);
  assert.equal(world.rounds, 1);
  const open = makeGate(world);
  await pass(1_000);
  assert.equal(world.rounds, 2);
  rounds.wake();
  rounds.wake();
  await pass(5_000);
  assert.equal(world.rounds, 2, 'never two at once');
  open();
  await nextRound();
  await pass(25);
  assert.equal(world.rounds, 3);
  await pass(900);
  assert.equal(world.rounds, 3);
  await rounds.stop();
});

test('the time of a round is part of the pause, and rounds that a long one misses are left out', async (t) => {
  const { world, rounds, pass } = prepare(t);
  rounds.start(0);
  let open = makeGate(world);
  await pass(0);
  world.now += 400;
  open();
  await nextRound();
  await pass(599);
  assert.equal(world.rounds, 1);
  open = makeGate(world);
  await pass(1);
  assert.equal(world.rounds, 2);
  world.now += 2_300;
  open();
  await nextRound();
  await pass(699);
  assert.equal(world.rounds, 2);
  await pass(1);
  assert.equal(world.rounds, 3);
  await rounds.stop();
});

test('a stop waits for the running round, after which there is none', async (t) => {
  const { world, rounds, pass } = prepare(t);
  const open = makeGate(world);
  rounds.start(0);
  await pass(0);
  let isStopped = false;
  const stopped = rounds.stop().then(() => (isStopped = true));
  await nextRound();
  assert.equal(isStopped, false);
  open();
  await stopped;
  rounds.wake();
  await pass(60_000);
  assert.equal(world.rounds, 1);
});
