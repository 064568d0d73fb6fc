import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeFilter } from './times.ts';

test('a time filter is Unix seconds or ISO 8601, in UTC unless it says otherwise', () => {
  const cases: [string, number][] = [
    ['0', 0],
    ['1760000000', 1_760_000_000],
    ['2025-10-09', 1_759_968_000],
    ['2025-10-09T08:53:20Z', 1_760_000_000],
    ['2025-10-09T08:53:20', 1_760_000_000],
    ['2025-10-09T10:53:20.5+02:00', 1_760_000_000],
  ];
  for (const [text, seconds] of cases) assert.equal(timeFilter.parse(text), seconds, text);
  for (const text of ['', '-1', '1.5', 'now', '2025-10', '2025-13-01', '2025-10-09 08:00', '999999999999']) {
    assert.ok(!timeFilter.safeParse(text).success, text);
  }
});
