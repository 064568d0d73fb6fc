import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessStore } from './in-process-store.ts';
import { type RateGrant, RateLimiter } from './rate-limiter.ts';

const clock = { now: () => 1_800_000_000_000 };
const token = { key: 'live:tok', rate: { rpm: undefined, tpm: 1_000, concurrency: undefined } };
const call = { requestId: 'req_1', endpoint: '/v1/chat/completions', principal: { rateSubjects: [token] } };

function admit(limiter: RateLimiter, tokens: number): RateGrant {
  const admission = limiter.admit(call, tokens);
  assert.ok(admission !== undefined && !(admission instanceof Promise));
  return admission;
}

test('what a stream says counts against tpm while it runs, and once', () => {
  const limiter = new RateLimiter({ store: new InProcessStore(clock), clock });
  const running = admit(limiter, 100);
  running.saw(300);
  running.saw(300);
  running.saw(500);
  assert.throws(() => admit(limiter, 401), { code: 'rate_limit_exceeded' });
  running.used({ input: 100, output: 520 });
  running.end();
  running.saw(900); // too late
  admit(limiter, 380);
  assert.throws(() => admit(limiter, 1), { code: 'rate_limit_exceeded' });
});
