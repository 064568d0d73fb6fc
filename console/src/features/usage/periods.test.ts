import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodOf, type PeriodChoice } from './periods.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const text = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16);

function rangeOf(choice: PeriodChoice, zone: string, now: string): string[] {
  const { from, to, before, bucket, starts } = periodOf(choice, zone, at(now));
  return [text(from), text(to), text(before.from), text(before.to), bucket, String(starts.length)];
}

test('presets are whole days of the zone, and the period before is as long as what has passed (issue 34 point 3)', () => {
  const now = '2026-11-18T13:00:00Z'; // 18:30 in Kolkata
  assert.deepEqual(rangeOf({ preset: 'today' }, 'Asia/Kolkata', now), [
    '2026-11-17T18:30',
    '2026-11-18T18:30',
    '2026-11-16T18:30',
    '2026-11-17T13:00',
    'hour',
    '24',
  ]);
  assert.deepEqual(rangeOf({ preset: '7d' }, 'UTC', now), [
    '2026-11-12T00:00',
    '2026-11-19T00:00',
    '2026-11-05T00:00',
    '2026-11-11T13:00',
    'day',
    '7',
  ]);
  assert.deepEqual(rangeOf({ preset: 'month' }, 'America/New_York', now), [
    '2026-11-01T04:00',
    '2026-11-19T05:00',
    '2026-10-01T04:00',
    '2026-10-18T13:00',
    'day',
    '18',
  ]);
});

test('a day on which clocks go back has 25 hours, and one on which they go forward 23', () => {
  const day = (date: string) =>
    periodOf({ preset: 'custom', first: date, last: date }, 'Europe/Berlin', at('2026-11-18T13:00:00Z'));
  assert.equal(day('2026-10-25').starts.length, 25);
  assert.equal(day('2026-03-29').starts.length, 23);
  assert.equal(day('2026-07-01').starts.length, 24);
});

test('days that are no days are the last 30', () => {
  for (const [first, last] of [
    ['2026-02-01', undefined],
    ['2026-02-02', '2026-02-01'],
    ['x', 'y'],
  ])
    assert.equal(periodOf({ preset: 'custom', first, last }, 'UTC', at('2026-11-18T13:00:00Z')).starts.length, 30);
});
