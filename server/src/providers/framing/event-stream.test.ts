// Amazon's frames, made by the encoder of Amazon's own SDK.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { StreamError } from '../../protocols/protocol.ts';
import { eventStream } from './event-stream.ts';

const utf8 = {
  to: (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8'),
  from: (text: string) => Buffer.from(text),
};
const codec = new EventStreamCodec(utf8.to, utf8.from);
const text = (value: string) => ({ type: 'string' as const, value });

function frame(name: string, payload: string, kind = 'event'): Buffer {
  const headers = {
    [`:${kind}-type`]: text(name),
    ':content-type': text('application/json'),
    ':message-type': text(kind),
    'of-another-kind': { type: 'boolean' as const, value: true },
    number: { type: 'integer' as const, value: 7 },
    bytes: { type: 'binary' as const, value: Buffer.from('b') },
    at: { type: 'timestamp' as const, value: new Date(0) },
  };
  return Buffer.from(codec.encode({ headers, body: Buffer.from(payload) }));
}

const framing = eventStream(
  () =>
    ({ kind, name, payload }) =>
      `${kind} ${name} ${payload.toString()};`,
);

function read(bytes: Buffer, size: number): { text: string; isComplete: boolean } {
  const unframer = framing.open?.();
  assert.ok(unframer !== undefined);
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += unframer.push(bytes.subarray(at, at + size))?.toString('utf8') ?? '';
  return { text, isComplete: unframer.isComplete() };
}

const frames = [frame('a', '{"x":"äöü"}'), frame('b', ''), frame('throttlingException', '{}', 'exception')];
const whole = Buffer.concat(frames);

test("frames of Amazon's own encoder are read, however they are cut (contract-2 9)", () => {
  for (const size of [1, 5, 16, 64, 10_000]) {
    const { text, isComplete } = read(whole, size);
    assert.deepEqual([text, isComplete], ['event a {"x":"äöü"};event b ;exception throttlingException {};', true]);
  }
});

test('a stream that ends inside of a frame is not complete (contract-2 9)', () => {
  for (const cut of [1, 11, 12, 40, whole.length - 1])
    assert.equal(read(whole.subarray(0, cut), 7).isComplete, false, String(cut));
});

test('no byte of a frame can be another: both checksums are checked (contract-2 9)', () => {
  const [first = Buffer.alloc(0)] = frames;
  for (let at = 0; at < first.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    assert.throws(() => read(damaged, 10_000), StreamError, `byte ${at}`);
  }
});

test('frames whose bytes are out of order, or that begin elsewhere, break the stream (contract-2 9)', () => {
  const [one = Buffer.alloc(0), other = Buffer.alloc(0)] = frames;
  const halves = [one.subarray(20), one.subarray(0, 20), other];
  assert.throws(() => read(Buffer.concat(halves), 10_000), StreamError);
  assert.throws(() => read(whole.subarray(3), 10_000), StreamError);
  assert.throws(() => read(Buffer.from('HTTP/1.1 500 Internal Server Error\r\n\r\n'), 10_000), StreamError);
});
