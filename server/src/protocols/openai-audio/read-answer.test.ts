import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesReader } from '../stream/relay-bytes.ts';
import { readSound, readTranscript } from './read-answer.ts';

const JSON_TYPE = 'application/json';
const read = (value: unknown) => readTranscript(Buffer.from(JSON.stringify(value)), JSON_TYPE);

test('a transcript in JSON tells its usage in tokens', () => {
  const usage = {
    type: 'tokens',
    input_tokens: 30,
    output_tokens: 8,
    total_tokens: 38,
    input_token_details: { text_tokens: 5, audio_tokens: 25 },
  };
  const answer = read({ text: 'hello', usage });
  assert.deepEqual(
    [answer?.usage?.input, answer?.usage?.audioInput, answer?.usage?.output, answer?.usage?.audioOutput],
    [30, 25, 8, 0],
  );
  assert.equal(answer?.outputBytes, 5);
});

test('usage by duration is no count of tokens but a length, unless it cannot be one', () => {
  const answer = read({ text: 'hello', usage: { type: 'duration', seconds: 3.25 } });
  assert.deepEqual([answer?.usage, answer?.audioMs, answer?.hasError], [undefined, 3_250, false]);
  for (const seconds of [0, -3, '3', 1e18, null])
    assert.equal(read({ text: 'hello', usage: { type: 'duration', seconds } })?.audioMs, undefined, String(seconds));
  assert.equal(read({ text: 'hello', usage: { seconds: 3 } })?.audioMs, undefined);
});

test('other formats are taken as they are', () => {
  for (const type of ['text/plain; charset=utf-8', 'text/vtt', 'application/x-subrip', ''])
    assert.deepEqual(readTranscript(Buffer.from('WEBVTT'), type), {
      usage: undefined,
      hasError: false,
      outputBytes: 6,
    });
});

test('what is no transcript is distinguished from one', () => {
  assert.equal(readTranscript(Buffer.from('{"text":'), JSON_TYPE), undefined);
  assert.equal(readTranscript(Buffer.from('<html>'), 'text/html'), undefined);
  assert.equal(readTranscript(Buffer.alloc(0), 'text/plain'), undefined);
  assert.equal(read({ words: [] }), undefined);
  assert.equal(read({ text: 5 }), undefined);
  assert.equal(read({ error: { message: 'no' } })?.hasError, true);
});

test('types are compared whatever their case', () => {
  assert.equal(readTranscript(Buffer.from('{"error":{"message":"no"}}'), 'Application/JSON')?.hasError, true);
  assert.equal(readTranscript(Buffer.from('<html>'), 'Text/HTML; charset=utf-8'), undefined);
});

test('a sound is everything but words and nothing, and counts as much as one that is passed on as it comes', () => {
  const sound = Buffer.alloc(8_001, 7);
  const reader = new BytesReader();
  reader.push(sound);
  for (const type of ['audio/mpeg', 'Audio/WAV', 'application/octet-stream', 'video/mp4'])
    assert.deepEqual(readSound(sound, type), {
      usage: undefined,
      hasError: false,
      outputBytes: 4 * reader.outputPieces,
    });
  for (const type of ['application/json', 'Application/Problem+JSON; charset=utf-8', 'text/html', 'Text/HTML'])
    assert.equal(readSound(sound, type), undefined);
  assert.equal(readSound(Buffer.alloc(0), 'audio/mpeg'), undefined);
});
