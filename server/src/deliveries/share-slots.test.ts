import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareSlots } from './share-slots.ts';

const shares = (accounts: [string, number][], running: number) =>
  Object.fromEntries(
    shareSlots(
      accounts.map(([id, own]) => ({ id, running: own })),
      running,
    ),
  );

test('one account has half of the slots at most', () => {
  assert.deepEqual(shares([['a', 0]], 0), { a: 16 });
  assert.deepEqual(shares([['a', 10]], 10), { a: 6 });
  assert.deepEqual(shares([['a', 16]], 16), {});
});

test('slots are given in turn', () => {
  assert.deepEqual(
    shares(
      [
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ],
      0,
    ),
    { a: 8, b: 8, c: 8 },
  );
});

test('the last slots are for accounts with nothing under way', () => {
  assert.deepEqual(
    shares(
      [
        ['a', 12],
        ['b', 12],
        ['c', 0],
      ],
      24,
    ),
    { c: 1 },
  );
  assert.deepEqual(shares([['c', 0]], 32), {});
});
