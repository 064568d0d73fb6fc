import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOfMonth, nextEnd, readBounds } from './ledger-partitions.ts';

const DAY = 86_400;
const pace = (last: bigint, days: number, first = 1n) => ({ last, first: { id: first, at: 0 }, now: days * DAY });

test('a partition is for a month at the pace of now, and never for less than a million entries', () => {
  assert.equal(idsOfMonth({ last: 0n, first: undefined, now: 0 }), 1_000_000n);
  assert.equal(idsOfMonth(pace(900n, 30)), 1_000_000n);
  assert.equal(idsOfMonth(pace(10_000_001n, 10)), 30_000_000n);
  assert.equal(idsOfMonth(pace(3_000_001n, 0)), 2_160_000_000n, 'one busy second is taken for an hour');
});

test('there is always a month of ids ahead, also when entries came faster than partitions', () => {
  const there = [{ name: 'a', start: 0n, end: 2_000_000n }];
  assert.equal(nextEnd(there, pace(10n, 1)), undefined);
  assert.equal(nextEnd(there, pace(1_000_001n, 30)), 3_000_000n);
  assert.equal(nextEnd(there, pace(5_500_000n, 150)), 7_000_000n, 'those behind the last one are in it');
});

test('the bounds of a partition are read as PostgreSQL writes them; the rest has none', () => {
  assert.deepEqual(readBounds('a', `FOR VALUES FROM (MINVALUE) TO ('2000000')`), {
    name: 'a',
    start: 0n,
    end: 2_000_000n,
  });
  assert.deepEqual(readBounds('b', `FOR VALUES FROM ('2000000') TO ('3000000')`), {
    name: 'b',
    start: 2_000_000n,
    end: 3_000_000n,
  });
  assert.equal(readBounds('ledger_rest', 'DEFAULT'), undefined);
});
