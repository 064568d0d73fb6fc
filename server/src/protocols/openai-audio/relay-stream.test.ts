import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSpeechStream, readTranscriptStream } from './relay-stream.ts';

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

test('speech passes in pieces and ends with its usage, whose output is audio', () => {
  const reader = readSpeechStream();
  const delta = event({ type: 'speech.audio.delta', audio: 'AAAA' });
  const done = event({ type: 'speech.audio.done', usage: { input_tokens: 4, output_tokens: 90 } });
  assert.equal(String(reader.push(Buffer.from(delta + delta))), delta + delta);
  assert.equal(reader.push(Buffer.from(done)), undefined);
  assert.deepEqual([reader.ended, String(reader.last)], [true, done]);
  assert.deepEqual([reader.usage?.input, reader.usage?.output, reader.usage?.audioOutput], [4, 90, 90]);
});

test('speech counts by its bytes of sound, not by its events', () => {
  const speech = (bytes: number): string =>
    event({ type: 'speech.audio.delta', audio: Buffer.alloc(bytes).toString('base64') });
  for (const chunks of [[speech(4_000), speech(4_001)], [speech(8_001)], [speech(4_000) + speech(4_001)]]) {
    const reader = readSpeechStream();
    for (const chunk of chunks) reader.push(Buffer.from(chunk));
    assert.equal(reader.outputPieces, 11);
  }
  const named = readSpeechStream();
  const audio = Buffer.alloc(8_001).toString('base64');
  named.push(Buffer.from(`event: speech.audio.delta\ndata: {"audio": "${audio}"}\n\n`));
  assert.equal(named.outputPieces, 11);
});

test('a transcript counts by its bytes of text where few pieces hold much', () => {
  const reader = readTranscriptStream();
  const say = (delta: string): unknown => reader.push(Buffer.from(event({ type: 'transcript.text.delta', delta })));
  for (let index = 0; index < 3; index++) say(' moon');
  assert.equal(reader.outputPieces, 3);
  say('x'.repeat(4_000));
  assert.equal(reader.outputPieces, 1_004);
});

test('a transcript passes in pieces and ends with its usage', () => {
  const reader = readTranscriptStream();
  const usage = { type: 'tokens', input_tokens: 4, output_tokens: 2, input_token_details: { audio_tokens: 3 } };
  reader.push(Buffer.from(event({ type: 'transcript.text.delta', delta: 'hi' })));
  reader.push(Buffer.from(event({ type: 'transcript.text.done', text: 'hi', usage })));
  assert.deepEqual([reader.ended, reader.usage?.audioInput, reader.usage?.output], [true, 3, 2]);
});

test('an error is a complaint, with a type of its own or without', () => {
  for (const data of [{ type: 'error', error: { message: 'no' } }, { error: { message: 'no' } }]) {
    for (const reader of [readSpeechStream(), readTranscriptStream()]) {
      assert.equal(reader.push(Buffer.from(event(data))), undefined);
      assert.equal(reader.complaint?.message, 'no');
      assert.equal(reader.started, false);
    }
  }
});

test('the last event may lack the empty line that closes it', () => {
  const cases = [
    [readSpeechStream, 'speech.audio'],
    [readTranscriptStream, 'transcript.text'],
  ] as const;
  for (const [read, kind] of cases) {
    const done = event({ type: `${kind}.done`, usage: { input_tokens: 4, output_tokens: 90 } });
    for (const before of ['', event({ type: `${kind}.delta` })]) {
      const reader = read();
      reader.push(Buffer.from(before + done.trimEnd()));
      assert.deepEqual([reader.isComplete(), reader.usage?.output, String(reader.last)], [true, 90, done]);
      const cut = read();
      cut.push(Buffer.from(before + done.slice(0, -3)));
      assert.deepEqual([cut.isComplete(), cut.complaint], [false, undefined]);
    }
  }
});

test('an event named only by its line is no error', () => {
  const reader = readSpeechStream();
  const delta = 'event: speech.audio.delta\ndata: {"audio":"AAAA"}\n\n';
  assert.equal(String(reader.push(Buffer.from(delta))), delta);
  reader.push(Buffer.from('event: speech.audio.done\ndata: {"usage":{"input_tokens":4,"output_tokens":9}}\n\n'));
  assert.deepEqual([reader.complaint, reader.ended, reader.usage?.output], [undefined, true, 9]);
});
