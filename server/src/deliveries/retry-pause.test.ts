import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryPause } from './retry-pause.ts';

test('ten attempts with growing pauses span about a day', () => {
  const pauses: number[] = [];
  for (let pause = retryPause(1); pause !== undefined; pause = retryPause(pauses.length + 1)) pauses.push(pause);
  assert.equal(pauses.length + 1, 10);
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, other) => one - other),
  );
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
  assert.ok(hours > 22 && hours < 26, `${hours} hours`);
});
