import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StreamFraming, StreamReader } from '../protocol.ts';
import { readGenerateContent } from './index.ts';

const ERROR = { message: 'broke', type: 'upstream_error', param: null, code: 'upstream_error' };
const REPORTED = '{"error":{"code":502,"message":"broke","status":"UNAVAILABLE"}}';
const A = '{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}';
const B = '{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}';
const BODY = Buffer.from('{"contents":[{"parts":[{"text":"hi"}]}]}');

function open(framing: 'events' | 'array'): { reader: StreamReader; frame: StreamFraming } {
  const request = readGenerateContent(BODY, { model: 'm', stream: true, framing });
  assert.ok(request.framing !== undefined);
  return { reader: request.readStream(), frame: request.framing };
}
const push = (reader: StreamReader, text: string): string => reader.push(Buffer.from(text))?.toString() ?? '';

describe('a stream for a client that did not ask for events', () => {
  test('is one JSON array, ended after the money', () => {
    const { reader, frame } = open('array');
    assert.equal(frame.contentType, 'application/json');
    const written = push(reader, `data: ${A}\n\ndata: ${A}\n\n`) + push(reader, `data: ${B}\n\n`);
    assert.equal(written, `[${A},\r\n${A}`);
    assert.equal(reader.isComplete(), true);
    const whole = `${frame.keepAlive?.toString()}${written}${frame.keepAlive?.toString()}${reader.last?.toString()}`;
    assert.deepEqual(JSON.parse(whole), [JSON.parse(A), JSON.parse(A), JSON.parse(B)]);
    assert.equal(reader.last?.toString(), `,\r\n${B}]`, 'may be asked for again');
  });

  test('is an array also when its first event is its last', () => {
    const { reader } = open('array');
    assert.equal(push(reader, `data: ${B}\n\n`), '');
    assert.equal(reader.isComplete(), true);
    assert.equal(reader.last?.toString(), `[${B}]`);
  });

  test('leaves out what is no JSON, so that the array stays one', () => {
    const { reader } = open('array');
    const written =
      push(reader, `data: ${A}\n\n`) +
      push(reader, 'data: {"candidates":[\n\n') +
      push(reader, `data: ${A}\n\ndata: no\n\n`);
    push(reader, `data: ${B}\n\ndata: x\n\n`);
    assert.equal(reader.isComplete(), true);
    assert.deepEqual(
      JSON.parse(written + reader.last?.toString()),
      [A, A, B].map((one) => JSON.parse(one) as unknown),
    );
  });

  test('ends with the error as its last element, wherever it broke', () => {
    const begun = open('array');
    const written = push(begun.reader, `data: ${A}\n\n`);
    assert.deepEqual(JSON.parse(written + begun.frame.errorEvent(ERROR).toString()), [
      JSON.parse(A),
      JSON.parse(REPORTED),
    ]);
    const silent = open('array');
    assert.equal(silent.frame.errorEvent(ERROR).toString(), `[${REPORTED}]`);
    const failedAtOnce = open('array');
    push(failedAtOnce.reader, `data: ${A}\n\ndata: ${REPORTED}\n\n`);
    assert.equal(failedAtOnce.reader.complaint?.message, 'broke');
    assert.equal(failedAtOnce.frame.errorEvent(ERROR).toString(), `[${REPORTED}]`, 'its first event was never shown');
  });
});

describe('a stream for a client that asked for events', () => {
  test('keeps alive with an answer that says nothing, and ends a broken stream with an event and plain JSON', () => {
    const { reader, frame } = open('events');
    assert.equal(push(reader, `data: ${A}\n\n`), `data: ${A}\n\n`);
    assert.equal(
      frame.keepAlive?.toString(),
      'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\n\n',
    );
    assert.equal(frame.errorEvent(ERROR).toString(), `data: ${REPORTED}\n\n${REPORTED}`);
  });
});
