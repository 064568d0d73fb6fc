import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTranscript } from './read-response.ts';

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

test('usage by duration is no count of tokens', () => {
  const answer = read({ text: 'hello', usage: { type: 'duration', seconds: 3 } });
  assert.deepEqual([answer?.usage, answer?.hasError], [undefined, false]);
});

test('other formats are taken as they are', () => {
  for (const type of ['text/plain; charset=utf-8', 'text/vtt', 'application/x-subrip', ''])
    assert.deepEqual(readTranscript(Buffer.from('WEBVTT'), type), {
      usage: undefined,
      hasError: false,
      outputBytes: 6,
    });
});

test('what is no transcript is told from one', () => {
  assert.equal(readTranscript(Buffer.from('{"text":'), JSON_TYPE), undefined);
  assert.equal(readTranscript(Buffer.from('<html>'), 'text/html'), undefined);
  assert.equal(readTranscript(Buffer.alloc(0), 'text/plain'), undefined);
  assert.equal(read({ words: [] }), undefined);
  assert.equal(read({ text: 5 }), undefined);
  assert.equal(read({ error: { message: 'no' } })?.hasError, true);
});
