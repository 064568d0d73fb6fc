import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '#contract/usage.ts';
import { bucketsOf, rangeOf } from './ranges.ts';
import { spendingPoints, trafficPoints } from './series.ts';

const NOW = 1_760_000_000;
const HOUR = Math.floor(NOW / 3600) * 3600;

function row(more: Partial<UsageRow>): UsageRow {
  return {
    bucket: HOUR,
    requests: 2,
    errors: 1,
    input_tokens: 1,
    output_tokens: 2,
    seconds: 0,
    images: 0,
    amount: '1',
    first_byte_ms: 10,
    total_ms: 20,
    ...more,
  };
}

test('every bucket of the range has a point, quiet ones too', () => {
  const range = rangeOf('24h');
  const buckets = bucketsOf(range, NOW);
  assert.deepEqual([buckets.length, buckets.at(-1)], [24, HOUR]);
  const points = trafficPoints([row({}), row({})], range, NOW);
  assert.equal(points.length, 24);
  assert.deepEqual([points.at(-1)?.['succeeded'], points.at(-1)?.['failed']], [2, 2]);
  assert.deepEqual([points[0]?.['succeeded'], points[0]?.['firstByte']], [0, null]);
  assert.equal(rangeOf('nonsense').id, '24h');
});

test('beyond five names the rest is one series, and names cannot clash with it', () => {
  const rows = ['a', 'b', 'c', 'd', 'rest', '__proto__', 'label'].map((model, index) =>
    row({ model, amount: String(10 - index) }),
  );
  const { points, series } = spendingPoints(rows, { by: 'model', range: rangeOf('24h'), now: NOW });
  assert.deepEqual(
    series.map(({ key }) => key),
    ['a', 'b', 'c', 'd', 'rest', 'all others'],
  );
  assert.deepEqual([points.at(-1)?.['s0'], points.at(-1)?.['rest']], [10, 9]);
});
