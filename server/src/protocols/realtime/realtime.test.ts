import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import {
  errorEvent,
  msOfBase64,
  PCM,
  readClientEvent,
  readResponseUsage,
  readServerEvent,
  readSettings,
  readTranscriptUsage,
  textField,
  textLength,
} from './index.ts';

test('an event is read by its type and a few fields; what two readers could read differently is refused', () => {
  const event = readClientEvent(Buffer.from('{"event_id":"e1","type":"input_audio_buffer.append","audio":"AAAA"}'));
  assert.deepEqual(
    [event.type, textField(event, 'event_id'), textLength(event, 'audio')],
    ['input_audio_buffer.append', 'e1', 4],
  );
  for (const text of ['', 'x', '[]', '{}', '{"type":1}', '{"type":"a","type":"b"}', '{"type":"a","Type":"b"}'])
    assert.throws(() => readClientEvent(Buffer.from(text)), { code: 'invalid_request' }, text);
  assert.equal(readServerEvent(Buffer.from('{"no":"type"}')), undefined);
  assert.equal(readServerEvent(Buffer.from('not JSON')), undefined);
});

test('usage of a response: parts of input and output, and what of the audio came from a cache', () => {
  const reported = {
    total_tokens: 150,
    input_tokens: 100,
    output_tokens: 50,
    input_token_details: {
      text_tokens: 40,
      audio_tokens: 60,
      image_tokens: 0,
      cached_tokens: 40,
      cached_tokens_details: { text_tokens: 10, audio_tokens: 30 },
    },
    output_token_details: { text_tokens: 20, audio_tokens: 30 },
  };
  const { usage, cached, isDoubtful } = readResponseUsage(reported);
  assert.deepEqual(
    [usage?.input, usage?.audioInput, usage?.cachedInput, usage?.output, usage?.audioOutput, cached.audio, isDoubtful],
    [100, 60, 40, 50, 30, 30, false],
  );
  assert.deepEqual(readResponseUsage(null).isDoubtful, false);
  for (const wrong of [-1, 1.5, '5', null])
    assert.equal(readResponseUsage({ input_tokens: wrong, output_tokens: 1 }).isDoubtful, true, String(wrong));
});

test('usage of a transcript is in tokens or in seconds', () => {
  const tokens = { type: 'tokens', input_tokens: 6, output_tokens: 8, input_token_details: { audio_tokens: 6 } };
  const read = readTranscriptUsage(tokens);
  assert.ok(read.kind === 'tokens' && read.usage.audioInput === 6);
  assert.deepEqual(readTranscriptUsage({ type: 'duration', seconds: 1.25 }), { kind: 'duration', ms: 1250 });
  assert.deepEqual(readTranscriptUsage({ type: 'duration', seconds: -1 }), { kind: 'none', isDoubtful: true });
});

test('settings that decide about money', () => {
  const session = {
    output_modalities: ['text'],
    max_output_tokens: 'inf',
    audio: {
      input: {
        turn_detection: { type: 'semantic_vad', create_response: false },
        transcription: { model: 'm' },
        format: { type: 'audio/pcmu' },
      },
    },
  };
  const settings = readSettings(session);
  assert.deepEqual(
    [settings.respondsByItself, settings.transcription, settings.maxOutputTokens, settings.speaks],
    [false, 'm', undefined, false],
  );
  assert.equal(msOfBase64(64_000, PCM), 1000);
  assert.equal(msOfBase64(3200, settings.inputFormat), 300);
});

test('an error is an event that names the client’s own', () => {
  const text = errorEvent(new GatewayError('insufficient_quota', { message: 'No.' }), 'event_1', 'mine');
  assert.deepEqual(JSON.parse(text), {
    type: 'error',
    event_id: 'event_1',
    error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'No.', param: null, event_id: 'mine' },
  });
});
