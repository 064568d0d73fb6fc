import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForIdle } from './wait-for-idle.ts';

async function stepsWith(open: readonly number[]): Promise<number> {
  let steps = 0;
  await waitForIdle({
    openRequests: () => open[steps - 1] ?? 0,
    async wait() {
      steps++;
    },
  });
  return steps;
}

test('a line waits for live requests to end, but not for ever (contract-2 8)', async () => {
  assert.equal(await stepsWith([]), 1, 'two lines never begin at once');
  assert.equal(await stepsWith([3, 1, 0]), 3);
  assert.equal(await stepsWith(Array.from({ length: 100 }, () => 1)), 20);
});
