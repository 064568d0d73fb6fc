// The simulation's own arithmetic, held against the theory of queues.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEASURED } from './costs.ts';
import { simulateChanges } from './changes.ts';
import { seeded, untilNext, zipf } from './spread.ts';
import { Station } from './station.ts';
import { simulateTasks } from './tasks.ts';
import { VirtualTime } from './virtual-time.ts';
import { simulateWindows } from './windows.ts';

test('events run in the order of their time, equal ones in the order of their making', () => {
  const time = new VirtualTime();
  const seen: string[] = [];
  for (const [at, name] of [
    [5, 'c'],
    [1, 'a'],
    [5, 'd'],
    [3, 'b'],
    [9, 'late'],
  ] as const)
    time.after(at, () => seen.push(`${name}${time.now}`));
  time.runUntil(8);
  assert.deepEqual(seen, ['a1', 'b3', 'c5', 'd5']);
  assert.equal(time.now, 8);
});

test('one core with work by chance: the mean wait is that of the theory (M/D/1)', () => {
  const time = new VirtualTime();
  const random = seeded(7);
  const station = new Station(time, 1);
  const [busy, service] = [0.8, 1];
  let [waited, count] = [0, 0];
  const arrive = (): void => {
    const began = time.now;
    station.do(service, () => {
      waited += time.now - began - service;
      count++;
    });
    time.after(untilNext(random, busy * 1000), arrive);
  };
  arrive();
  time.runUntil(400_000);
  const expected = (busy * service) / (2 * (1 - busy));
  assert.ok(Math.abs(waited / count - expected) < expected * 0.1, `${waited / count} instead of ${expected}`);
  assert.ok(Math.abs(station.utilisation - busy) < 0.02, String(station.utilisation));
});

test('a few customers make most requests', () => {
  const random = seeded(3);
  const first = Array.from({ length: 10_000 }, () => zipf(random, 1_000_000)).filter((account) => account < 1_000);
  assert.ok(first.length > 4_500 && first.length < 5_500, String(first.length));
});

test('changes that cannot be committed as fast as they come are late, and fewer are not', () => {
  const fleet = { processes: 20, databaseCores: 8, accounts: 1_000, requests: 0, catalogueChanges: 0, seconds: 5 };
  const few = simulateChanges({ ...fleet, changes: 10 }, MEASURED);
  const many = simulateChanges({ ...fleet, changes: 1_000 }, MEASURED);
  assert.ok(few.p99 < 50, String(few.p99));
  assert.ok(many.p99 > 1_000, String(many.p99));
});

test('windows: one shard is full where sixteen are not', () => {
  const load = { accounts: 100_000, requests: 1_500 / MEASURED.window, seconds: 3 };
  const one = simulateWindows({ ...load, shards: 1 }, MEASURED);
  const many = simulateWindows({ ...load, shards: 16 }, MEASURED);
  assert.ok(one.busiestShard > 0.99 && many.busiestShard < 0.9, `${one.busiestShard} ${many.busiestShard}`);
  assert.ok(one.p99 > many.p99 * 10, `${one.p99} ${many.p99}`);
});

test('tasks of dead nodes are asked about again after the silence, and none is lost', () => {
  const fleet = { processes: 8, databaseCores: 4, tasks: 500, baseMs: 2_000, answerMs: 200, seconds: 40 };
  const seen = simulateTasks({ ...fleet, dying: 4 }, MEASURED);
  assert.ok(seen.takenOver >= 10_000 && seen.takenOver < 11_000, String(seen.takenOver));
  const without = simulateTasks({ ...fleet, dying: 0 }, MEASURED);
  assert.ok(seen.looksPerSecond > without.looksPerSecond * 0.9, `${seen.looksPerSecond} ${without.looksPerSecond}`);
});
