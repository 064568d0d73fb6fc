import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestsByDay } from '../migrations/0040-request-partitions.ts';
import { usageByMonth } from '../migrations/0071-usage-partitions.ts';
import type { Partitioning } from '../migrations/migration.ts';
import { endOfOld, missingEnds, nameOfPartition, readPartitionName } from './time-partitions.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** Names of the days that the missing partitions end before. */
function missing(partitioning: Partitioning, last: string, now: string): string[] {
  const there = [{ name: 'x', end: day(last) }];
  const ends = missingEnds(partitioning, there, { now: Date.parse(now), ahead: 3 });
  return ends.map((end) => new Date(end).toISOString().slice(0, 10));
}

test('months follow each other whatever their length, over the end of a year and from the last day of one', () => {
  assert.deepEqual(missing(usageByMonth, '2028-02-01', '2028-01-31T23:59:59.999Z'), [
    '2028-03-01',
    '2028-04-01',
    '2028-05-01',
  ]);
  assert.deepEqual(missing(usageByMonth, '2027-01-01', '2026-12-31T10:00:00Z'), [
    '2027-02-01',
    '2027-03-01',
    '2027-04-01',
  ]);
  assert.deepEqual(missing(usageByMonth, '2027-03-01', '2027-01-01T00:00:00Z'), ['2027-04-01', '2027-05-01']);
  assert.deepEqual(missing(usageByMonth, '2027-05-01', '2027-01-31T00:00:00Z'), []);
});

test('days follow each other, over the end of a month too', () => {
  assert.deepEqual(missing(requestsByDay, '2028-02-28', '2028-02-27T12:00:00Z'), [
    '2028-02-29',
    '2028-03-01',
    '2028-03-02',
  ]);
});

test('after a long sleep one partition covers the time that nobody was there for', () => {
  const sleep: [Partitioning, string[]][] = [
    [usageByMonth, ['2027-07-01', '2027-08-01', '2027-09-01', '2027-10-01']],
    [requestsByDay, ['2027-06-16', '2027-06-17', '2027-06-18', '2027-06-19']],
  ];
  for (const [partitioning, ends] of sleep)
    assert.deepEqual(missing(partitioning, '2027-01-01', '2027-06-15T12:00:00Z'), ends);
});

test('where no partition has a time, none is made', () => {
  assert.deepEqual(missingEnds(usageByMonth, [], { now: 0, ahead: 3 }), []);
});

test('a partition is old when all of its time is more than the days back', () => {
  const old = (partitioning: Partitioning, now: string) => endOfOld(partitioning, { now: Date.parse(now), days: 31 });
  assert.equal(old(usageByMonth, '2027-05-31T23:59:59.999Z'), day('2027-04-01'), 'the last moment of April is younger');
  assert.equal(old(usageByMonth, '2027-06-01T00:00:00Z'), day('2027-05-01'));
  assert.equal(old(requestsByDay, '2027-06-01T13:00:00Z'), day('2027-05-01'));
});

test('the name of a partition tells its end, and no other name does', () => {
  const name = nameOfPartition('usage_sums', day('2027-01-01'));
  assert.equal(name, 'usage_sums_until_20270101');
  assert.deepEqual(readPartitionName('usage_sums', name), { name, end: day('2027-01-01') });
  for (const other of ['usage_sums_rest', 'requests_until_20270101', 'usage_sums_until_2027010', `${name}_pkey`])
    assert.equal(readPartitionName('usage_sums', other), undefined, other);
});
