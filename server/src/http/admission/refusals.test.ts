import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Refusals } from './refusals.ts';

/** Rounds begin when the test says so. */
function makeRefusals(perRound = 2) {
  const clock = { now: 0 };
  const rounds: (() => void)[] = [];
  const refusals = new Refusals({
    perRound,
    maxWaitMs: 1_000,
    now: () => clock.now,
    nextRound: (work) => rounds.push(work),
  });
  const reported: string[] = [];
  const refuse = (name: string): void => void refusals.wait().then(() => reported.push(name));
  const round = async (): Promise<void> => {
    rounds.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { refusals, clock, rounds, reported, refuse, round };
}

test('a refusal is sent in the next round, and nothing goes on when all are sent', async () => {
  const { refusals, rounds, reported, refuse, round } = makeRefusals();
  refuse('a');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(reported, []);
  await round();
  assert.deepEqual(reported, ['a']);
  assert.deepEqual([refusals.waiting, rounds.length], [0, 0]);
  refuse('b');
  await round();
  assert.deepEqual(reported, ['a', 'b']);
});

test('of a crowd so many are refused in a round, in the order of their coming (promise B-08)', async () => {
  const { refusals, rounds, reported, refuse, round } = makeRefusals();
  for (const name of ['a', 'b', 'c', 'd', 'e']) refuse(name);
  await round();
  assert.deepEqual(reported, ['a', 'b']);
  refuse('f');
  assert.equal(rounds.length, 1, 'one round is coming, however many wait');
  await round();
  await round();
  assert.deepEqual(reported, ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual([refusals.waiting, rounds.length], [0, 0]);
});

test('no refusal waits longer than its limit', async () => {
  const { clock, reported, refuse, round } = makeRefusals();
  for (const name of ['a', 'b', 'c', 'd']) refuse(name);
  clock.now = 500;
  refuse('e');
  clock.now = 1_000;
  await round();
  assert.deepEqual(reported, ['a', 'b', 'c', 'd']);
  await round();
  assert.deepEqual(reported, ['a', 'b', 'c', 'd', 'e']);
});

test('a queue that never ends keeps nothing of those who were refused', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { refusals, round } = makeRefusals(1_000);
  const refuseMany = (): void => {
    for (let count = 0; count < 1_000; count++) void refusals.wait();
  };
  refuseMany();
  const heapAfter = async (rounds: number): Promise<number> => {
    for (let count = 0; count < rounds; count++) {
      refuseMany();
      await round();
    }
    collect();
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const before = await heapAfter(10);
  const grown = (await heapAfter(200)) - before;
  assert.equal(refusals.waiting, 1_000);
  assert.ok(grown < 5, `${grown.toFixed(1)} MiB of 200,000 that were refused`);
});
