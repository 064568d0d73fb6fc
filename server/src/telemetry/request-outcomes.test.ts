import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RequestOutcome, RequestOutcomes } from './request-outcomes.ts';

const row = (more: Partial<RequestOutcome> = {}): RequestOutcome => ({
  id: 'req_1',
  endpoint: '/v1/chat/completions',
  status: 200,
  error_code: null,
  model: 'gpt-4o',
  channel_id: 'chn_1',
  attempts: '[]',
  usage: null,
  first_byte_ms: null,
  total_ms: 1,
  usage_source: null,
  charge: 0n,
  mode: 'live',
  ...more,
});

test('a request has the model, the channel by its name, and of a failure the code and the reason', () => {
  const outcomes = new RequestOutcomes((id) => `name of ${id}`);
  const attempts = '[{"channel_id":"chn_0","error":"limited"},{"channel_id":"chn_1","error":"timed-out"}]';
  for (const [ended, named] of [
    [row(), { model: 'gpt-4o', channel: 'name of chn_1' }],
    [
      row({ error_code: 'upstream_error', attempts }),
      { model: 'gpt-4o', channel: 'name of chn_1', error: 'upstream_error', reason: 'timed-out' },
    ],
    [
      row({ error_code: 'insufficient_quota', channel_id: null, reason: 'Too little money.' }),
      { model: 'gpt-4o', error: 'insufficient_quota', reason: 'Too little money.' },
    ],
    [row({ model: null, channel_id: null, error_code: 'invalid_request' }), { error: 'invalid_request' }],
  ] as const) {
    outcomes.open('req_1');
    outcomes.ended(ended);
    assert.deepEqual(outcomes.take('req_1'), named);
  }
});

test('nothing is kept of lines that no request waits for, nor twice', () => {
  const outcomes = new RequestOutcomes(String);
  outcomes.ended(row({ id: 'batch_1/a' }));
  assert.equal(outcomes.take('batch_1/a'), undefined);
  outcomes.open('req_1');
  outcomes.ended(row());
  assert.ok(outcomes.take('req_1') !== undefined);
  assert.equal(outcomes.take('req_1'), undefined);
  outcomes.open('req_2');
  assert.equal(outcomes.take('req_2'), undefined);
});
