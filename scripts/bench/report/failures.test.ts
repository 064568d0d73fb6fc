import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellFailures } from './failures.ts';

const relays = [
  { name: 'Tollgate', role: 'gateway' },
  { name: 'Portkey', role: 'guest' },
] as const;

test('a failed request of ours makes the run bad, one of a guest is only reported', () => {
  const theirs = new Map([['Portkey', new Map([['streams: status 500', 3]])]]);
  const reported = tellFailures({ failures: theirs, requests: 10 }, relays);
  assert.equal(reported.isBad, false);
  assert.deepEqual(reported.details, ['Portkey: 3 x streams: status 500']);
  const ours = new Map([...theirs, ['Tollgate', new Map([['loop: status 503', 1]])] as const]);
  const bad = tellFailures({ failures: ours, requests: 10 }, relays);
  assert.equal(bad.isBad, true);
  assert.match(bad.outcome, /1 REQUESTS FAILED/);
});
