import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChat } from '../../protocols/openai-chat/index.ts';
import { StreamError, type StreamReader } from '../../protocols/protocol.ts';
import { readFramed, sse, type UpstreamFraming } from './framing.ts';

const chunks = [
  { choices: [{ index: 0, delta: { content: 'Hel' } }] },
  { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
].map((chunk) => JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk }));
const texts = [...chunks, '[DONE]'];
const asEvents = (all: readonly string[]): string => all.map((text) => `data: ${text}\n\n`).join('');

/** A toy of binary frames: four bytes of length, then the text of an event. */
const frames: UpstreamFraming = {
  accept: 'application/x-frames',
  contentType: 'application/x-frames',
  open() {
    let rest = Buffer.alloc(0);
    return {
      push(chunk) {
        rest = Buffer.concat([rest, chunk]);
        const whole: string[] = [];
        while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
          const length = rest.readUInt32BE(0);
          if (length === 0) throw new StreamError('a frame is empty');
          whole.push(rest.toString('utf8', 4, 4 + length));
          rest = rest.subarray(4 + length);
        }
        return whole.length === 0 ? undefined : Buffer.from(asEvents(whole));
      },
      isComplete: () => rest.length === 0,
    };
  },
};

function framed(all: readonly string[]): Buffer {
  return Buffer.concat(
    all.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(text));
      return [length, Buffer.from(text)];
    }),
  );
}

function chatReader(): StreamReader {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };
  const asked = { ...body, stream_options: { include_usage: true } };
  return readChat(Buffer.from(JSON.stringify(asked))).readStream();
}

function follow(reader: StreamReader, bytes: Buffer, size: number): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += reader.push(bytes.subarray(at, at + size))?.toString('utf8') ?? '';
  return text + (reader.last?.toString('utf8') ?? '');
}

test('server-sent events are followed by the very same reader, without a step in between', () => {
  const reader = chatReader();
  assert.equal(readFramed(reader, sse), reader);
});

test('other frames reach reader and client as server-sent events, however they are cut', () => {
  for (const size of [1, 3, 7, 10_000]) {
    const plain = chatReader();
    const reader = readFramed(chatReader(), frames);
    const written = follow(reader, framed(texts), size);
    assert.equal(written, follow(plain, Buffer.from(asEvents(texts)), size));
    assert.equal(written, asEvents(texts));
    assert.deepEqual(reader.usage, plain.usage);
    assert.deepEqual([reader.started, reader.ended, reader.isComplete()], [true, true, true]);
  }
});

test('a stream that ends inside a frame is not complete, and bytes that are no frame break it', () => {
  const reader = readFramed(chatReader(), frames);
  follow(reader, framed(texts), 10_000);
  reader.push(Buffer.from([0]));
  assert.equal(reader.isComplete(), false);
  assert.throws(() => readFramed(chatReader(), frames).push(Buffer.alloc(4)), StreamError);
});

test('streams that share a framing share no bytes', () => {
  const [one, other] = [readFramed(chatReader(), frames), readFramed(chatReader(), frames)];
  const bytes = framed(texts);
  assert.equal(one.push(bytes.subarray(0, 5)), undefined);
  assert.equal(follow(other, bytes, bytes.length), asEvents(texts));
});
