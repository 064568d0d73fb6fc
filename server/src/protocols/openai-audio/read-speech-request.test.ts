import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { textOf } from '../../testing/fake-form.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { readSpeech } from './index.ts';
import { countCharacters } from './read-speech-request.ts';

const speech = { model: 'm', input: 'Hello', voice: 'alloy' };
const read = (fields: Record<string, unknown>) => readSpeech(Buffer.from(JSON.stringify({ ...speech, ...fields })));

test('characters are Unicode code points', () => {
  assert.equal(countCharacters('a\u00e9\u4e2d\u{1f600}'), 4);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(countCharacters(text), Array.from(text).length);
    }),
  );
  assert.equal(read({ input: 'h\u{1f600}i' }).characters, 3);
});

test('speech comes as bytes unless events are asked for', () => {
  assert.equal(read({}).stream, false);
  assert.equal(read({ stream_format: 'audio' }).stream, false);
  assert.equal(read({ stream_format: 'sse' }).stream, true);
});

test('a voice that somebody made is named as an object of the upstream, a ready-made one is not (contract-2 7)', () => {
  const named = (voice: string): unknown => read({ voice }).namedObjects?.();
  for (const id of ['voice_123', 'speech:name:account:hash'])
    assert.deepEqual(named(id), [{ id, field: 'voice', soft: false }]);
  for (const voice of ['alloy', 'Voice', 'FunAudioLLM/CosyVoice2-0.5B:alex']) assert.deepEqual(named(voice), []);
});

test('a field that is missing, doubled or of the wrong type is named (spec 2.9)', () => {
  for (const name of ['model', 'input']) {
    for (const value of [undefined, null, '']) assertRefused(() => read({ [name]: value }), /is required/, name);
    assertRefused(() => read({ [name]: 7 }), /must be a string/, name);
  }
  for (const name of ['voice', 'instructions', 'response_format', 'stream_format'])
    assertRefused(() => read({ [name]: 7 }), /must be a string/, name);
  assertRefused(() => read({ speed: 'fast' }), /a number/, 'speed');
  assertRefused(() => read({ metadata: 'x' }), /an object/, 'metadata');
  for (const name of ['model', 'input', 'response_format', 'stream_format']) {
    const doubled = Buffer.from(`{"model":"m","input":"i","voice":"v","${name}":"a","${name}":"a"}`);
    assertRefused(() => readSpeech(doubled), /more than once/, name);
  }
});

test('the request is sent as it came but for the model and what the channel drops', () => {
  const body = Buffer.from('{ "model":"m","input":"i","voice":"v","metadata":{"a":1},"speed":1.0}');
  assert.equal(readSpeech(body).write({ upstreamModel: 'm', dropFields: [] }), body);
  assert.equal(
    textOf(readSpeech(body).write({ upstreamModel: 'up', dropFields: ['metadata', 'voice'] })),
    '{ "model":"up","input":"i","voice":"v","speed":1.0}',
  );
});
