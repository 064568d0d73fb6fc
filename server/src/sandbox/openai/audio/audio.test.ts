import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeSilentMp3 } from '../../media/mp3.ts';
import { sampleRate, speak } from '../../media/voice.ts';
import { measureWav, writeWav } from '../../media/wav.ts';
import { startSandbox } from '../../server.ts';
import { call, type FormEntry, readTypedEvents, writeForm } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const text = 'The quick brown fox jumps over the lazy dog.';
const speech = (fields: object) =>
  call(sandbox, { model: 'tts-1', input: text, voice: 'alloy', ...fields }, { path: '/audio/speech' });
const wav = writeWav(speak(text, 1), sampleRate);
const file: FormEntry = { name: 'file', value: wav, filename: 'a.wav' };
const hear = (entries: FormEntry[], { model = 'whisper-1', path = '/audio/transcriptions' } = {}) =>
  call(sandbox, {}, { path, ...writeForm([{ name: 'model', value: model }, ...entries]) });
const format = (value: string): FormEntry => ({ name: 'response_format', value });

test('speech in wav, pcm and mp3 has its length and type; speed is honoured', async () => {
  const plain = await speech({ response_format: 'wav' });
  assert.equal(plain.headers['content-type'], 'audio/wav');
  const bytes = Buffer.concat(plain.chunks);
  assert.ok(Math.abs((measureWav(bytes, bytes.length) ?? 0) - text.length / 15) < 0.01);
  const fast = await speech({ response_format: 'pcm', speed: 2 });
  assert.equal(fast.headers['content-type'], 'audio/pcm');
  assert.equal(Buffer.concat(fast.chunks).length, Math.round((text.length / 30) * sampleRate) * 2);
  const mp3 = await speech({});
  assert.equal(mp3.headers['content-type'], 'audio/mpeg');
  assert.equal(Buffer.concat(mp3.chunks).readUInt16BE(0), 0xfffb);
});

test('stream_format sse sends the same bytes in events, and usage at the end', async () => {
  const whole = Buffer.concat((await speech({ response_format: 'wav' })).chunks);
  const got = await speech({ response_format: 'wav', stream_format: 'sse' });
  const events = readTypedEvents(got.text).map(({ data }) => data);
  const done = events.pop();
  assert.deepEqual(Buffer.concat(events.map(({ audio }) => Buffer.from(String(audio), 'base64'))), whole);
  assert.ok(events.every(({ type }) => type === 'speech.audio.delta'));
  assert.partialDeepStrictEqual(done, { type: 'speech.audio.done', usage: { input_tokens: 10, output_tokens: 59 } });
});

test('speech refuses what it cannot say', async () => {
  const wrong: object[] = [
    { input: undefined },
    { input: '' },
    { input: 'x'.repeat(4097) },
    { voice: undefined },
    { voice: 5 },
    { response_format: 'opus' },
    { response_format: 'doc' },
    { speed: 5 },
    { stream_format: 'x' },
  ];
  for (const fields of wrong) assert.equal((await speech(fields)).status, 400, JSON.stringify(fields).slice(0, 50));
});

type Heard = { text: string; usage: Record<string, unknown>; duration: number; segments: object[]; words?: object[] };
const read = async (entries: FormEntry[], options = {}): Promise<Heard> => {
  const got = await hear(entries, options);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Heard;
};

test('the transcript depends on the file; usage is time or tokens by model', async () => {
  const heard = await read([file]);
  assert.match(heard.text, /^I heard 2\.93 seconds: /);
  assert.deepEqual(heard.usage, { type: 'duration', seconds: 3 });
  assert.deepEqual(await read([file]), heard);
  const other = writeWav(speak(text.toUpperCase(), 1), sampleRate);
  assert.notEqual((await read([{ ...file, value: other }])).text, heard.text);
  const mp3 = { name: 'file', value: writeSilentMp3(61), filename: 'a.mp3' };
  assert.match((await read([mp3])).text, /^I heard 61\.01 seconds/);
  const counted = await read([file, { name: 'prompt', value: 'two words' }], { model: 'gpt-4o-transcribe' });
  assert.partialDeepStrictEqual(counted.usage, { type: 'tokens', input_tokens: 32 });
  assert.match((await read([file], { path: '/audio/translations' })).text, /^In English 2\.93 seconds: /);
});

test('every response format', async () => {
  const plain = await hear([file, format('text')]);
  assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(plain.text, /^I heard/);
  assert.match((await hear([file, format('srt')])).text, /^1\n00:00:00,000 --> 00:00:02,933\nI heard/);
  assert.match((await hear([file, format('vtt')])).text, /^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.933\nI heard/);
  const verbose = await read([file, format('verbose_json'), { name: 'timestamp_granularities[]', value: 'word' }]);
  assert.partialDeepStrictEqual(verbose, { task: 'transcribe', language: 'english', duration: 2.93 });
  assert.ok(verbose.segments.length > 0 && (verbose.words?.length ?? 0) > 5);
  assert.equal((await hear([file, format('srt')], { model: 'gpt-4o-transcribe' })).status, 400);
});

test('transcriptions stream, except for whisper', async () => {
  const stream = { name: 'stream', value: 'true' };
  const events = readTypedEvents((await hear([file, stream], { model: 'gpt-4o-transcribe' })).text);
  const done = events.pop()?.data;
  assert.equal(events.map(({ data }) => data['delta']).join(''), done?.['text']);
  assert.partialDeepStrictEqual(done, { usage: { type: 'tokens' } });
  assert.match((await read([file, stream])).text, /^I heard/);
});

test('wrong forms are refused, and a large upload leaves only a summary', async () => {
  const noFile = await hear([]);
  assert.equal(noFile.status, 400);
  assert.equal((JSON.parse(noFile.text) as { error: { param: string } }).error.param, 'file');
  const wrong: FormEntry[][] = [
    [file, file],
    [{ ...file, value: 'not audio' }],
    [{ ...file, value: '' }],
    [{ name: 'file', value: 'text instead of a file' }],
    [file, format('xml')],
    [file, { name: 'language', value: 'Klingon please' }],
    [file, { name: 'stream', value: 'maybe' }],
    [file, { name: 'temperature', value: 'hot' }],
  ];
  for (const entries of wrong) assert.equal((await hear(entries)).status, 400);
  assert.equal((await call(sandbox, {}, { path: '/audio/transcriptions' })).status, 415);
  const large = writeWav(Buffer.alloc(64_000_000), sampleRate);
  assert.match((await read([{ ...file, value: large }])).text, /^I heard 1333\.33 seconds/);
  const record = sandbox.records.at(-1);
  assert.ok((record?.bodyBytes ?? 0) > 64_000_000);
  assert.ok(JSON.stringify(record).length < 500_000);
});
