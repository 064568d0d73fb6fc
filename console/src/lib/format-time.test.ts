import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAgo, formatMilliseconds, fromLocalInput, toLocalInput } from './format-time.ts';

test('distances in time are said in the largest unit that fits', () => {
  const now = 1_760_000_000;
  assert.equal(formatAgo(now - 20, now), 'just now');
  assert.equal(formatAgo(now - 180, now), '3 minutes ago');
  assert.equal(formatAgo(now - 86_400, now), 'yesterday');
  assert.equal(formatAgo(now + 7200, now), 'in 2 hours');
});

test('lengths of time are short', () => {
  assert.equal(formatMilliseconds(12.4), '12 ms');
  assert.equal(formatMilliseconds(1234), '1.23 s');
  assert.equal(formatMilliseconds(90_000), '1.5 min');
});

test('a local time goes into an input and comes back the same', () => {
  const minute = 1_760_000_040;
  assert.equal(fromLocalInput(toLocalInput(minute)), minute);
  assert.equal(fromLocalInput('nonsense'), null);
});
