import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recentCalls, slotsOf } from './day-slots.ts';

const NOW = 1_760_000_000;
const HOUR = NOW - (NOW % 3600);

test('a day has 24 slots, the last of which is under way; hours without calls are empty', () => {
  const slots = slotsOf(
    [
      { hour: HOUR - 23 * 3600, answered: 1, failed: 0, charged: '1' },
      { hour: HOUR, answered: 2, failed: 3, charged: '0' },
      { hour: HOUR - 24 * 3600, answered: 9, failed: 9, charged: '9' },
    ],
    NOW,
  );
  assert.deepEqual([slots.length, slots[0]?.answered, slots[1]?.charged, slots[23]?.failed], [24, 1, null, 3]);
});

test('recent calls are those of this hour and the one before', () => {
  const hour = (at: number) => ({ hour: at, answered: 3, failed: 1, charged: '0' });
  assert.deepEqual(recentCalls([hour(HOUR), hour(HOUR - 3600), hour(HOUR - 7200)], NOW), { calls: 8, failed: 2 });
});
