import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CachedFetch } from './cached-fetch.ts';

test('what was fetched is kept for a while, a failure for a moment, and many who ask at once share one fetch', async () => {
  let now = 0;
  let fetches = 0;
  let isAway = false;
  const remembered = new CachedFetch(
    async () => {
      fetches++;
      if (isAway) throw new Error('away');
      return fetches;
    },
    { good: 1000, bad: 10 },
    { now: () => now },
  );
  assert.deepEqual(await Promise.all([remembered.get(), remembered.get(), remembered.renew()]), [1, 1, 1]);
  now = 999;
  assert.equal(await remembered.get(), 1);
  assert.equal(await remembered.renew(), 2, 'asked for again before its time');
  now = 2000;
  isAway = true;
  await assert.rejects(remembered.get(), /away/);
  await assert.rejects(remembered.get(), /away/);
  assert.equal(fetches, 3, 'not asked for again at once');
  isAway = false;
  now = 2010;
  assert.equal(await remembered.get(), 4);
});
