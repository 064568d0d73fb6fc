import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '#contract/usage.ts';
import { addUp, groupRows } from './usage-totals.ts';

function row(more: Partial<UsageRow>): UsageRow {
  return {
    bucket: 0,
    requests: 1,
    errors: 0,
    input_tokens: 10,
    output_tokens: 5,
    seconds: 0,
    images: 0,
    amount: '0.5',
    first_byte_ms: 100,
    total_ms: 200,
    ...more,
  };
}

test('sums add up and means are weighted by requests', () => {
  const total = addUp([
    row({ requests: 3, total_ms: 100 }),
    row({ total_ms: 500 }),
    row({ requests: 0, total_ms: null }),
  ]);
  assert.deepEqual([total.requests, total.inputTokens, total.amount, total.totalMs], [4, 30, 1.5, 200]);
  assert.equal(addUp([]).firstByteMs, null);
});

test('names come in the order of what they cost', () => {
  const groups = groupRows([row({ model: 'a' }), row({ model: 'b', amount: '2' }), row({ model: 'a' })], 'model');
  assert.deepEqual(
    groups.map(({ key, total }) => [key, total.requests]),
    [
      ['b', 1],
      ['a', 2],
    ],
  );
});
