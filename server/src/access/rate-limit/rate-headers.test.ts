import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rateHeaders, writeDuration } from './rate-headers.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const use = (limit: number, used: number, resetMs = 1_500) => ({ limit, used, resetMs });

describe('headers about rate limits', () => {
  test('tell limit, rest and reset of requests and tokens, of the limit that is nearest', () => {
    const token = { requests: use(10, 4), tokens: undefined };
    const account = { requests: use(100, 98, 61_250), tokens: use(5_000, 6_000) };
    assert.deepEqual(rateHeaders([token, account], '/v1/chat/completions', AT), {
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '1m1.25s',
      'x-ratelimit-limit-tokens': '5000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1.5s',
    });
  });

  test('have the message-style spelling beside it on /v1/messages', () => {
    const headers = rateHeaders([{ requests: use(10, 4), tokens: undefined }], '/v1/messages', AT);
    assert.equal(headers['anthropic-ratelimit-requests-limit'], '10');
    assert.equal(headers['anthropic-ratelimit-requests-remaining'], '6');
    assert.equal(headers['anthropic-ratelimit-requests-reset'], '2026-01-02T03:04:06.500Z');
    assert.equal(headers['x-ratelimit-remaining-requests'], '6');
  });

  test('write times as 59ms, 1.5s, 1m1s', () => {
    assert.deepEqual([0, 59, 1_500, 59_999.2, 61_000].map(writeDuration), ['0ms', '59ms', '1.5s', '1m0s', '1m1s']);
  });
});
