import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLogger } from './logger.ts';
import { logRequest, type RequestLine, type RequestOutcome, RequestOutcomes } from './request-line.ts';

const LINE: RequestLine = {
  requestId: 'req_1',
  method: 'POST',
  path: '/v1/x"\n\u2028',
  status: 200,
  ms: 12,
  tokenId: 'tok_1',
  complete: true,
};

function written(level: string, line: RequestLine): string[] {
  const lines: string[] = [];
  logRequest(makeLogger(level, { write: (text) => void lines.push(text) }).logger, line);
  return lines;
}

test('a request is one line of JSON like every other line, whatever stands in its path', () => {
  const [line = '', ...more] = written('info', LINE);
  assert.equal(more.length, 0);
  assert.match(line, /^[^\n]+\n$/);
  const { time, ...facts } = JSON.parse(line) as Record<string, unknown>;
  assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000);
  const { requestId: request_id, tokenId: token_id, ...same } = LINE;
  assert.deepEqual(facts, { level: 'info', request_id, token_id, ...same });
});

test('a line names model, channel and reason, each where there is one', () => {
  const facts = { model: 'a "b"', channel: 'main\n', error: 'upstream_error', reason: 'timed-out' };
  const line = JSON.parse(written('info', { ...LINE, ...facts })[0] ?? '') as Record<string, unknown>;
  for (const [name, value] of Object.entries(facts)) assert.equal(line[name], value);
});

test('without a token there is none in the line, and a quieter level has no line', () => {
  assert.ok(!('token_id' in (JSON.parse(written('info', { ...LINE, tokenId: undefined })[0] ?? '') as object)));
  assert.deepEqual(written('warn', LINE), []);
});

test('the time is what a Date would tell, also when the clock goes back', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  for (const now of [0, 7, 999, 1_000, 1_763_000_000_042, 1_763_000_000_999, 1_762_999_999_001, 1_763_000_001_000]) {
    t.mock.timers.setTime(now);
    const { time } = JSON.parse(written('info', LINE)[0] ?? '') as { time: string };
    assert.equal(time, new Date(now).toISOString());
  }
});

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
