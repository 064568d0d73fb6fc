import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeValue, fakeForm } from '../../testing/fake-form.ts';
import { assertRejected } from '../../testing/refusals.ts';
import { readTranscription } from './index.ts';

/** Silence at 8 kHz, one byte a sample. */
function wave(seconds: number): Buffer {
  const samples = Math.round(seconds * 8000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

const base: [string, FakeValue][] = [
  ['model', 'm'],
  ['file', { file: wave(2.5), filename: 'a.wav', contentType: 'audio/wav' }],
];

test('the length of the audio is read from the file', async () => {
  const request = await readTranscription(fakeForm(base));
  assert.deepEqual([request.model, request.stream, request.audioMs], ['m', false, 2500]);
  assert.equal((await readTranscription(fakeForm([...base, ['stream', 'true']]))).stream, true);
});

test('a file whose length is not known is taken for one of 32 kbit/s', async () => {
  const unknown: [string, FakeValue] = ['file', { file: Buffer.alloc(40_001, 7), filename: 'a.bin' }];
  assert.equal((await readTranscription(fakeForm([['model', 'm'], unknown]))).audioMs, 10_001);
});

test('a form that lacks a field, doubles one or mixes text and file is refused by name', async () => {
  const refuses = (parts: [string, FakeValue][], param: string, message: RegExp): Promise<void> =>
    assertRejected(readTranscription(fakeForm(parts)), message, param);
  for (const name of ['model', 'file'])
    await refuses(
      base.filter(([one]) => one !== name),
      name,
      /is required/,
    );
  await refuses(
    [
      ['model', 'm'],
      ['file', 'text'],
    ],
    'file',
    /must be a file/,
  );
  await refuses(
    [
      ['model', 'm'],
      ['file', { file: '' }],
    ],
    'file',
    /empty file/,
  );
  for (const name of ['model', 'file', 'response_format', 'stream'])
    await refuses([...base, [name, 'a'], [name, 'a']], name, /more than once/);
  await refuses([...base, ['stream', 'perhaps']], 'stream', /true or false/);
  await refuses([...base, ['MODEL', 'other']], 'model', /must be written 'model'/);
});

test('an empty field counts as absent, here and upstream', async () => {
  const empty = ['language', 'response_format', 'stream', 'temperature', 'prompt'];
  const form = fakeForm([...base, ...empty.map((name): [string, FakeValue] => [name, ''])]);
  const request = await readTranscription(form);
  assert.equal(request.stream, false);
  request.write({ upstreamModel: 'm', dropFields: [] });
  assert.deepEqual(form.rewritten, { set: {}, remove: empty });
});

test('the form is sent as it came but for the model and what the channel drops', async () => {
  const form = fakeForm([...base, ['language', 'de']]);
  (await readTranscription(form)).write({ upstreamModel: 'up', dropFields: ['language', 'file'] });
  assert.deepEqual(form.rewritten, { set: { model: 'up' }, remove: ['language'] });
  (await readTranscription(form)).write({ upstreamModel: 'm', dropFields: [] });
  assert.deepEqual(form.rewritten, { set: {}, remove: [] });
});
