import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restAfter } from './rest-after.ts';

test('a rule that takes long rests longer, but never so long that channel_down misses its 60 s (contract-2 10)', () => {
  assert.deepEqual(
    [1, 500, 1_000, 100_000].map((took) => restAfter(took, 5_000)),
    [20, 10_000, 20_000, 20_000],
  );
});
