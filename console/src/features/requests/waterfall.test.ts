import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { waterfallOf } from './waterfall.ts';

const request = (more: Partial<LoggedRequest>): LoggedRequest =>
  ({ attempts: [], first_byte_ms: null, total_ms: 100, ...more }) as LoggedRequest;
const spans = (more: Partial<LoggedRequest>) =>
  waterfallOf(request(more)).lanes.map(({ start, firstByte, end }) => [start, firstByte, end]);

test('attempts lie where they were, also of requests that keep no start (issue 34 point 4)', () => {
  const answered = { channel_id: 'a', status: 200, error: null, ms: 30 };
  assert.deepEqual(spans({ attempts: [answered], first_byte_ms: 40, total_ms: 90 }), [[10, 40, 90]]);
  const failed = { channel_id: 'a', status: 502, error: 'overloaded', ms: 20, at: 5 };
  assert.deepEqual(spans({ attempts: [failed, { ...answered, at: 27 }], first_byte_ms: 57, total_ms: 80 }), [
    [5, undefined, 25],
    [27, 57, 80],
  ]);
  const old = { channel_id: 'a', status: 502, error: 'overloaded', ms: 20 };
  assert.deepEqual(spans({ attempts: [old, old], total_ms: 41 }), [
    [0, undefined, 20],
    [20, undefined, 40],
  ]);
  assert.deepEqual(waterfallOf(request({})).lanes, []);
});
