import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PortalUsageRow } from '#contract/portal.ts';
import { addUp, DAY, dayLabel, daysOf, groupRows, monthStart } from './usage.ts';

const row = (more: Partial<PortalUsageRow>): PortalUsageRow => ({
  bucket: 20_000 * DAY,
  requests: 1,
  errors: 0,
  input_tokens: 2,
  output_tokens: 3,
  amount: '0.1',
  ...more,
});

test('sums of amounts are exact', () => {
  const total = addUp([row({}), row({ amount: '0.2' }), row({ amount: '0.000000001', errors: 1 })]);
  assert.deepEqual(total, { requests: 3, errors: 1, tokens: 15, amount: '0.300000001' });
});

test('groups are sorted by what they cost, then by requests', () => {
  const rows = [row({ model: 'a' }), row({ model: 'b', amount: '3' }), row({ model: 'a' }), row({ requests: 9 })];
  assert.deepEqual(
    groupRows(rows, 'model').map(({ key, total }) => [key, total.amount]),
    [
      ['b', '3'],
      ['a', '0.2'],
      ['', '0.1'],
    ],
  );
});

test('every day of a range is there, quiet ones too', () => {
  const from = 20_000 * DAY - DAY;
  const days = daysOf([row({ amount: '1.5' })], { from, to: from + 3 * DAY });
  assert.deepEqual(
    days.map(({ day, total }) => [dayLabel(day), total.amount]),
    [
      ['Oct 3', '0'],
      ['Oct 4', '1.5'],
      ['Oct 5', '0'],
    ],
  );
  assert.equal(monthStart(20_000 * DAY), Date.UTC(2024, 9, 1) / 1000);
});
