import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { writeFinish } from './finish-reason.ts';
import { anthropicMessages, writeError } from './index.ts';
import { mergeUsage, readUsage, writeDeltaUsage, writeUsage } from './usage.ts';

const answer = (value: object) => anthropicMessages.readAnswer(Buffer.from(JSON.stringify(value)), '');

describe('usage', () => {
  test('counts what was read from and written to the cache as input', () => {
    const reported = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 30,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 3 },
    };
    const usage = { ...NO_USAGE, input: 140, output: 7, cachedInput: 100, cacheWrite: 30, reasoning: 3 };
    assert.deepEqual(readUsage(reported), usage);
    assert.deepEqual(writeDeltaUsage(usage), { ...reported, server_tool_use: null });
    const unknown = { cache_creation: null, inference_geo: null, service_tier: null, speed: null };
    assert.deepEqual(writeUsage(usage), { ...reported, server_tool_use: null, ...unknown });
  });

  test('that cannot be true is not reported', () => {
    assert.equal(readUsage({ input_tokens: -1, output_tokens: 2 }), undefined);
    assert.equal(readUsage({ input_tokens: 1 }), undefined);
    assert.equal(readUsage({ input_tokens: 1e15, output_tokens: 2 }), undefined);
    assert.equal(readUsage(null), undefined);
    const wild = { input_tokens: 1, output_tokens: 2, output_tokens_details: { thinking_tokens: 9 } };
    assert.deepEqual(readUsage(wild), { ...NO_USAGE, input: 1, output: 2, reasoning: 2 });
  });

  test('of several events is the last value of each field', () => {
    const start = mergeUsage({}, { input_tokens: 100, output_tokens: 1 });
    const end = mergeUsage(start, { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 15 });
    assert.deepEqual(end, { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 15 });
    assert.equal(readUsage(end)?.input, 100);
    assert.deepEqual(mergeUsage(end, { output_tokens: 12 }), { ...end, output_tokens: 12 });
  });

  test('is not undone by an event that reports no input, nothing, or what cannot be true', () => {
    const start = mergeUsage({}, { input_tokens: 25, cache_read_input_tokens: 4, output_tokens: 1 });
    const end = mergeUsage(start, { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 15 });
    assert.deepEqual(end, { input_tokens: 25, cache_read_input_tokens: 4, output_tokens: 15 });
    assert.deepEqual(mergeUsage(end, { input_tokens: -3, output_tokens: 'many' }), end);
    const cached = mergeUsage(end, { input_tokens: 0, cache_read_input_tokens: 29 });
    assert.equal(readUsage(cached)?.input, 29);
  });
});

describe('a whole answer', () => {
  test('tells its usage and the size of its content', () => {
    const content = [{ type: 'text', text: 'x'.repeat(400) }];
    const read = answer({ type: 'message', content, usage: { input_tokens: 3, output_tokens: 4 } });
    assert.deepEqual(read?.usage, { ...NO_USAGE, input: 3, output: 4 });
    assert.equal(read.hasError, false);
    assert.ok(read.outputBytes >= 395 && read.outputBytes <= 405, String(read.outputBytes));
  });

  test('is as long as the text in it: not its citations, signatures or what tools gave (promise M-10)', () => {
    const long = 'x'.repeat(9_000);
    const content = [
      { type: 'thinking', thinking: 'x'.repeat(100), signature: long },
      { type: 'text', text: 'x'.repeat(400), citations: [{ type: 'char_location', cited_text: long, text: long }] },
      { type: 'tool_use', id: 'c', name: 'n', input: { a: 'x' } },
      { type: 'web_fetch_tool_result', content: { source: { type: 'text', data: long } } },
    ];
    assert.equal(answer({ type: 'message', content })?.outputBytes, 500 + '{"a":"x"}'.length);
  });

  test('may be an error, and is none of this protocol without content', () => {
    assert.equal(answer({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })?.hasError, true);
    assert.equal(answer({ id: 'chatcmpl-1', choices: [] }), undefined);
    assert.equal(anthropicMessages.readAnswer(Buffer.from('<html>'), ''), undefined);
  });
});

describe('errors', () => {
  test('of an upstream are read from their inner object', () => {
    const complaint = (text: string) => anthropicMessages.readComplaint(Buffer.from(text));
    assert.deepEqual(
      complaint('{"type":"error","error":{"type":"invalid_request_error","message":"no"},"request_id":"r"}'),
      { message: 'no', code: 'invalid_request_error', param: undefined },
    );
    const nothing = { message: undefined, code: undefined, param: undefined };
    assert.deepEqual(complaint('{"type":"error"}'), nothing);
    assert.deepEqual(complaint('<html>'), nothing);
  });

  test('of the gateway have the native shape and type (contract 4)', () => {
    const typeOf = (type: string, code: string): unknown => writeError({ message: 'm', type, code })['error'];
    assert.deepEqual(typeOf('invalid_request_error', 'invalid_request'), {
      type: 'invalid_request_error',
      message: 'm',
    });
    const cases = [
      ['insufficient_quota', 'insufficient_quota', 'billing_error'],
      ['server_error', 'no_channel_available', 'overloaded_error'],
      ['upstream_error', 'upstream_timeout', 'timeout_error'],
      ['upstream_error', 'upstream_error', 'api_error'],
      ['invalid_request_error', 'body_too_large', 'request_too_large'],
      ['', 'rate_limit_error', 'rate_limit_error'],
      ['', 'whatever', 'api_error'],
    ] as const;
    for (const [type, code, native] of cases) assert.deepEqual(typeOf(type, code), { type: native, message: 'm' });
    const error = { message: 'm', type: 'server_error', param: null, code: 'internal_error' };
    assert.equal(
      String(anthropicMessages.errorEvent(error, 'req_1')),
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"m"},"request_id":"req_1"}\n\n',
    );
  });
});

describe('the reason why a model stopped', () => {
  const quiet = { callsTools: false, refusal: undefined };
  const word = (...given: Parameters<typeof writeFinish>): unknown => writeFinish(...given)['stop_reason'];

  test('is written in this protocol', () => {
    assert.equal(word({ reason: 'stop' }, quiet), 'end_turn');
    assert.deepEqual(writeFinish({ reason: 'stop', stopSequence: 'END' }, quiet), {
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
      stop_details: null,
    });
    assert.equal(word({ reason: 'length' }, quiet), 'max_tokens');
    assert.equal(word({ reason: 'tool-calls' }, quiet), 'tool_use');
    assert.equal(word({ reason: 'content-filter' }, quiet), 'refusal');
    assert.equal(word({ reason: 'pause' }, quiet), 'pause_turn');
    assert.equal(word({ reason: 'other' }, quiet), 'end_turn');
  });

  test('is a call or a refusal when the answer is one, whatever the upstream says', () => {
    assert.equal(word({ reason: 'stop' }, { ...quiet, callsTools: true }), 'tool_use');
    assert.equal(word({ reason: 'length' }, { ...quiet, callsTools: true }), 'max_tokens');
    assert.deepEqual(writeFinish({ reason: 'stop' }, { ...quiet, refusal: 'No.' }), {
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { type: 'refusal', category: null, explanation: 'No.' },
    });
  });
});
