import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { shouldRetry } from './should-retry.ts';

const answered = (status: number) => new ApiError('refused', { status, code: null, param: null, requestId: null });
const timesAsked = (error: unknown) => [0, 1, 2, 3, 4, 5].filter((count) => shouldRetry(count, error)).length;

test('a busy gateway is asked longer than one that fails, and a refusal is final', () => {
  assert.equal(timesAsked(answered(503)), 4);
  assert.equal(timesAsked(answered(500)), 2);
  assert.equal(timesAsked(new TypeError('no connection')), 2);
  for (const status of [400, 401, 404, 412]) assert.equal(timesAsked(answered(status)), 0);
});
