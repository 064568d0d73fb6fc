import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readComplaint } from '../protocols/openai-chat/error.ts';
import type { UpstreamCall } from './call-upstream.ts';
import type { UpstreamHeaders, UpstreamSink } from './upstream-request.ts';
import { UpstreamError } from './upstream-error.ts';
import { CollectedAnswer, type WholeResult } from './collect-answer.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;
const MAY = { mayAnswerWhole: true };

/** An answer with a call that behaves as the real one: an abort reaches the sink, once. */
function collect(sink?: UpstreamSink, onWhole?: () => void) {
  const stream = sink === undefined ? undefined : Object.assign(sink, { contentType: '', call: undefined });
  const results: WholeResult[] = [];
  const errors: UpstreamError[] = [];
  const answer = new CollectedAnswer({
    readComplaint,
    stream,
    expects: 'text/event-stream',
    onWhole,
    resolve: (result) => results.push(result),
    reject: (error) => errors.push(error),
  });
  let aborts = 0;
  const abort = (error: UpstreamError): void => {
    if (aborts++ === 0) answer.onFail(error);
  };
  answer.call = { abort } as unknown as UpstreamCall;
  return { answer, results, errors, aborts: () => aborts };
}

function whole(status: number, headers: UpstreamHeaders, ...pieces: string[]) {
  const collected = collect();
  collected.answer.onStart(status, headers);
  for (const piece of pieces) collected.answer.onData(Buffer.from(piece));
  collected.answer.onEnd();
  return collected;
}

describe('a whole answer', () => {
  test('success gives status, type as the upstream spells it, and all bytes', () => {
    const { results, errors } = whole(200, { 'content-type': ['Application/JSON; charset=utf-8'] }, '{"a"', ':1}');
    assert.deepEqual(results, [
      { status: 200, contentType: 'Application/JSON; charset=utf-8', body: Buffer.from('{"a":1}') },
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(whole(204, {}).results, [{ status: 204, contentType: '', body: Buffer.alloc(0) }]);
  });

  test('one that trickles is joined as it comes, small pieces and large ones in their order', () => {
    const pieces = Array.from({ length: 1000 }, (_, at) => (at % 150 === 0 ? 'x'.repeat(5000) : `${at},`));
    assert.equal(whole(200, JSON_TYPE, ...pieces).results[0]?.body.toString(), pieces.join(''));
  });

  test('any other status is an error with its class and what the upstream said', () => {
    const body = '{"error":{"message":"No.","code":"bad","param":"n","type":"t"}}';
    const [error] = whole(400, JSON_TYPE, body.slice(0, 9), body.slice(9)).errors;
    assert.equal(error?.errorClass, 'refused');
    assert.deepEqual(error?.facts, { status: 400, upstreamMessage: 'No.', upstreamCode: 'bad', upstreamParam: 'n' });
    for (const [status, errorClass] of [
      [401, 'unauthorised'],
      [503, 'overloaded'],
      [302, 'malformed'],
      [504, 'timed-out'],
    ] as const) {
      const [failure] = whole(status, {}, '<html>busy</html>').errors;
      assert.deepEqual([failure?.errorClass, failure?.facts], [errorClass, { status }]);
    }
  });

  test('Retry-After of a limited upstream is kept', () => {
    assert.equal(whole(429, { 'retry-after': '7' }).errors[0]?.facts.retryAfter, 7);
    assert.equal(whole(429, {}).errors[0]?.facts.retryAfter, undefined);
  });

  test('an error body of any length is answered with its class, and little of it is kept', () => {
    const pieces = Array<string>(100).fill('x'.repeat(64 * 1024));
    const { errors, aborts } = whole(500, {}, ...pieces);
    assert.deepEqual([errors[0]?.errorClass, aborts()], ['overloaded', 0]);
  });

  test('an answer beyond 64 MiB is refused as soon as it is, and the call ended', () => {
    const { answer, errors, aborts, results } = collect();
    answer.onStart(200, JSON_TYPE);
    const piece = Buffer.alloc(MIB);
    for (let index = 0; index < 64; index++) answer.onData(piece);
    assert.equal(errors.length, 0);
    answer.onData(piece);
    assert.deepEqual([errors[0]?.errorClass, aborts(), results.length], ['malformed', 1, 0]);
  });

  test('a compressed answer, which was not asked for, is refused at once', () => {
    const { answer, errors, aborts } = collect();
    answer.onStart(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    assert.deepEqual([errors[0]?.errorClass, aborts()], ['malformed', 1]);
    assert.equal(whole(200, { 'content-encoding': 'identity' }, '{}').results.length, 1);
  });

  test('a broken connection is the failure it is', () => {
    const { answer, errors } = collect();
    const failure = new UpstreamError('unreachable', 'reset');
    answer.onStart(200, JSON_TYPE);
    answer.onFail(failure);
    assert.deepEqual(errors, [failure]);
  });
});

describe('where a stream was asked for', () => {
  function streamed(status: number, headers: UpstreamHeaders, { mayAnswerWhole = false } = {}) {
    const calls: string[] = [];
    const sink: UpstreamSink = {
      onStart: () => calls.push('start'),
      onData: (chunk) => calls.push(chunk.toString()),
      onEnd: () => calls.push('end'),
      onFail: ({ errorClass }) => calls.push(errorClass),
    };
    const collected = collect(sink, mayAnswerWhole ? () => calls.push('whole') : undefined);
    collected.answer.onStart(status, headers);
    return { ...collected, calls };
  }

  test('an event stream gets the bytes, the end and the failure', () => {
    const good = streamed(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
    good.answer.onData(Buffer.from('a'));
    good.answer.onEnd();
    assert.deepEqual([good.calls, good.results, good.errors], [['a', 'end'], [], []]);
    const broken = streamed(200, { 'content-type': 'text/event-stream' });
    broken.answer.onFail(new UpstreamError('timed-out', 'silence'));
    assert.deepEqual([broken.calls, broken.errors], [['timed-out'], []]);
  });

  test('something else than an event stream is refused', () => {
    const { calls, errors, aborts } = streamed(200, JSON_TYPE);
    assert.deepEqual([calls, errors[0]?.errorClass, aborts()], [[], 'malformed', 1]);
  });

  test('something else is gathered where an upstream may answer whole', () => {
    const { answer, calls, results, errors, aborts } = streamed(200, { 'content-type': 'Audio/MPEG' }, MAY);
    answer.onData(Buffer.from('so'));
    answer.onData(Buffer.from('und'));
    assert.deepEqual(calls, ['whole']);
    answer.onEnd();
    assert.deepEqual(results, [{ status: 200, contentType: 'Audio/MPEG', body: Buffer.from('sound') }]);
    assert.deepEqual([calls, errors, aborts()], [['whole'], [], 0]);
    const broken = streamed(200, JSON_TYPE, MAY);
    broken.answer.onFail(new UpstreamError('unreachable', 'reset'));
    assert.deepEqual([broken.calls, broken.results, broken.errors[0]?.errorClass], [['whole'], [], 'unreachable']);
  });

  test('events are events there too, and an answer that does not say what it is is refused', () => {
    const { answer, calls, results } = streamed(200, { 'content-type': 'TEXT/event-stream' }, MAY);
    answer.onData(Buffer.from('a'));
    answer.onEnd();
    assert.deepEqual([calls, results], [['a', 'end'], []]);
    const nameless = streamed(200, {}, MAY);
    assert.deepEqual([nameless.calls, nameless.errors[0]?.errorClass, nameless.aborts()], [[], 'malformed', 1]);
  });

  test('an error answer is read as one, whatever its type', () => {
    for (const settings of [{}, MAY]) {
      const head = { 'content-type': 'text/event-stream', 'retry-after': '3' };
      const { answer, calls, errors } = streamed(429, head, settings);
      answer.onData(Buffer.from('{"error":"slow down"}'));
      answer.onEnd();
      assert.deepEqual([calls, errors[0]?.errorClass, errors[0]?.facts.retryAfter], [[], 'limited', 3]);
    }
  });
});
