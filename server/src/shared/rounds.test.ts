import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { nextRound } from './wait.ts';
import { Rounds } from './rounds.ts';

function prepare(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const world = { rounds: 0, pause: 1_000, gate: Promise.resolve() };
  const rounds = new Rounds(async () => {
    world.rounds++;
    await world.gate;
    return world.pause;
  });
  const pass = async (milliseconds: number): Promise<void> => {
    t.mock.timers.tick(milliseconds);
    await nextRound();
  };
  return { world, rounds, pass };
}

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

test('who is woken begins at once, and after the running round when there is one', async (t) => {
  const { world, rounds, pass } = prepare(t);
  rounds.start(1_000);
  rounds.wake();
  await pass(0);
  assert.equal(world.rounds, 1);
  let open = (): void => {};
  world.gate = new Promise((resolve) => {
    open = resolve;
  });
  await pass(1_000);
  assert.equal(world.rounds, 2);
  rounds.wake();
  rounds.wake();
  await pass(5_000);
  assert.equal(world.rounds, 2, 'never two at once');
  open();
  await nextRound();
  await pass(0);
  assert.equal(world.rounds, 3);
  await pass(0);
  assert.equal(world.rounds, 3);
  await rounds.stop();
});

test('a stop waits for the running round, after which there is none', async (t) => {
  const { world, rounds, pass } = prepare(t);
  let open = (): void => {};
  world.gate = new Promise((resolve) => {
    open = resolve;
  });
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
