import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '#contract/usage.ts';
import { formatAmount } from '../../lib/format-money.ts';
import { changeOf, columnsOf, scaleOf, valueOf } from './columns.ts';
import { periodOf } from './periods.ts';
import { requestSearch } from './request-search.ts';

const NOW = Date.parse('2026-11-18T13:10:00Z') / 1000;
const period = periodOf({ preset: 'today' }, 'UTC', NOW);
const [first = 0, second = 0] = period.starts;

function row(bucket: number, more: Partial<UsageRow>): UsageRow {
  return {
    bucket,
    requests: 1,
    errors: 0,
    input_tokens: 2,
    output_tokens: 3,
    seconds: 0,
    images: 0,
    amount: '0',
    first_byte_ms: null,
    total_ms: null,
    ...more,
  };
}

test('parts and rest of a bar add up to the last digit, and nothing is where nothing was (issue 34 point 3)', () => {
  const columns = columnsOf({
    period,
    measure: 'amount',
    by: 'model',
    totals: [row(first, { amount: '1000000000.000000003', requests: 5, errors: 2 })],
    rows: [row(first, { model: 'a', amount: '0.000000001' })],
    keys: ['a', 'b'],
    outages: [{ from: second - 60, to: second + 30 }],
    now: NOW,
  });
  assert.deepEqual(columns[0]?.parts, [
    { key: 'a', value: 1n },
    { key: undefined, value: 1_000_000_000_000_000_002n },
  ]);
  assert.deepEqual([columns[0]?.away, columns[1]?.away, columns[1]?.parts], [60, 30, []]);
  assert.deepEqual(
    columns.map(({ state }) => state),
    [...Array(13).fill('over'), 'running', ...Array(10).fill('ahead')],
  );
});

test('the scale has round lines, whole ones for what is counted', () => {
  assert.deepEqual(scaleOf(7_100_000_000n, 'amount'), [0, 2, 4, 6, 8]);
  assert.deepEqual(scaleOf(3n, 'requests'), [0, 1, 2, 3]);
  assert.deepEqual(scaleOf(0n, 'amount'), [0, 1]);
});

test('a change needs something before', () => {
  assert.equal(changeOf(3n, 2n), 50);
  assert.equal(changeOf(3n, 0n), undefined);
  assert.equal(valueOf(undefined, 'tokens'), 0n);
});

test('amounts have two to four decimals, and what is smaller says so', () => {
  const cases = [
    ['1234.5', '1,234.50'],
    ['0.12345', '0.1235'],
    ['0.00001', '<0.0001'],
    ['0', '0.00'],
    ['-2.5', '\u22122.50'],
  ] as const;
  for (const [amount, shown] of cases) assert.equal(formatAmount(amount), shown);
});

test('a bar leads to the requests with the same filters and its own time', () => {
  const range = { from: 10, to: 20 };
  assert.deepEqual(requestSearch({ mode: 'live', model: 'a' }, range, { by: 'token', key: 'tok_1' }), {
    mode: 'live',
    model: 'a',
    token_id: 'tok_1',
    from: '10',
    to: '20',
  });
  assert.deepEqual(requestSearch({}, range, { by: 'channel', key: '' }), { from: '10', to: '20', lacks: 'channel' });
  assert.deepEqual(requestSearch({}, range, { by: 'status', key: '0' }), { from: '10', to: '20' });
});
