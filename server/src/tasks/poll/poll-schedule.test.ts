import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPollMs } from './poll-schedule.ts';

const young = { baseMs: 5_000, ageMs: 1_000, failures: 0, random: 0 };
const MINUTE = 60_000;

test('a young task is asked about at the base interval, an old one seldom, never less than every five minutes', () => {
  assert.equal(nextPollMs(young), 5_000);
  assert.equal(nextPollMs({ ...young, ageMs: 2 * MINUTE }), 5_000);
  assert.equal(nextPollMs({ ...young, ageMs: 4 * MINUTE }), 10_000);
  assert.equal(nextPollMs({ ...young, ageMs: 20 * 60 * MINUTE }), 60_000);
  assert.equal(nextPollMs({ ...young, ageMs: 20 * 60 * MINUTE, failures: 30 }), 300_000);
  assert.equal(nextPollMs({ ...young, baseMs: 100, ageMs: MINUTE }), 100);
});

test('faults double the interval, and a provider that names a time is believed', () => {
  assert.deepEqual(
    [1, 2, 3].map((failures) => nextPollMs({ ...young, failures })),
    [10_000, 20_000, 40_000],
  );
  assert.equal(nextPollMs({ ...young, failures: 1, retryAfter: 33 }), 33_000);
});

test('chance spreads the polls, and only to the early side', () => {
  assert.equal(nextPollMs({ ...young, random: 1 }), 4_500);
  assert.equal(nextPollMs({ ...young, random: 0.5 }), 4_750);
});

test('a base interval longer than five minutes stays', () => {
  assert.equal(nextPollMs({ ...young, baseMs: 600_000 }), 600_000);
});
