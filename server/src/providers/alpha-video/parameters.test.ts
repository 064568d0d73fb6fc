import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { capabilityOf } from './capability.ts';
import { readParameters } from './parameters.ts';

const MODELS = ['a-t2v', 'a-i2v', 'a-r2v', 'a-video-edit'];
const read = (model: string, metadata: Record<string, unknown> = {}, fields: Partial<VideoRequest> = {}) =>
  readParameters(videoRequestOf({ model, metadata, ...fields }), capabilityOf(model, model));
const refuses = (model: string, metadata: Record<string, unknown>, param: string, message: RegExp): void =>
  assertFieldRefused(() => read(model, metadata), { param, message });

test('what nobody asked for has its default (spec 2.6)', () => {
  const plain = { resolution: '1080P', duration: 5, watermark: false };
  for (const model of ['a-t2v', 'a-i2v', 'a-r2v']) assert.deepEqual(read(model), plain);
  assert.deepEqual(read('a-video-edit'), { resolution: '1080P', watermark: false, audio_setting: 'auto' });
});

test('resolution is 720P or 1080P in any case, and anything else falls back to 1080P (spec 2.6)', () => {
  for (const model of MODELS) {
    for (const text of ['720P', '720p', ' 720p ']) assert.equal(read(model, { resolution: text }).resolution, '720P');
    for (const value of ['1080P', '1080p', '4k', '480P', '', 720, null, {}, ['720P']])
      assert.equal(read(model, { resolution: value }).resolution, '1080P', JSON.stringify(value));
  }
});

test('ratio is for t2v and r2v only, and one of five (spec 2.6 media rule 4)', () => {
  for (const model of ['a-t2v', 'a-r2v']) {
    for (const ratio of ['16:9', '9:16', '1:1', '4:3', '3:4']) assert.equal(read(model, { ratio }).ratio, ratio);
    assert.ok(!('ratio' in read(model, { ratio: null })));
    for (const ratio of ['21:9', '16x9', '', 1, {}]) refuses(model, { ratio }, 'metadata.ratio', /16:9, 9:16, 1:1/);
  }
  for (const model of ['a-i2v', 'a-video-edit']) {
    assert.ok(!('ratio' in read(model, { ratio: '16:9' })));
    assert.ok(!('ratio' in read(model, { ratio: 'nonsense' })));
  }
});

test('duration is cut to [3,15], whole, numbers as text too (spec 2.6, 8)', () => {
  const golden: [unknown, number][] = [
    [5, 5],
    [3, 3],
    [15, 15],
    [2, 3],
    [0, 3],
    [-4, 3],
    [16, 15],
    [1e9, 15],
    ['8', 8],
    [' 8 ', 8],
    ['99', 15],
    ['-1', 3],
    [7.9, 7],
    ['7.9', 7],
    [2.9, 3],
    [15.5, 15],
    [Infinity, 15], // 1e999 in JSON
  ];
  for (const model of ['a-t2v', 'a-i2v', 'a-r2v'])
    for (const [value, seconds] of golden)
      assert.equal(read(model, { duration: value }).duration, seconds, String(value));
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double({ noNaN: true })), (value) => {
      const { duration = 0 } = read('a-t2v', { duration: value });
      assert.ok(Number.isInteger(duration) && duration >= 3 && duration <= 15);
    }),
  );
});

test('duration is metadata.duration, else duration, else seconds, else 5 (contract 5)', () => {
  const all = { duration: 8, seconds: '9' };
  assert.equal(read('a-t2v', { duration: 7 }, all).duration, 7);
  assert.equal(read('a-t2v', {}, all).duration, 8);
  assert.equal(read('a-t2v', { duration: null }, all).duration, 8);
  assert.equal(read('a-t2v', {}, { seconds: '9' }).duration, 9);
  assert.equal(read('a-t2v', {}, { seconds: '40' }).duration, 15);
  assert.equal(read('a-t2v', {}, { duration: 0, seconds: '9' }).duration, 3); // 0 is there, and cut
});

test('a duration that is no number is refused by its field', () => {
  for (const duration of ['', 'long', '5s', '1e1', true, {}, [5]])
    refuses('a-i2v', { duration }, 'metadata.duration', /must be a number/);
  for (const seconds of ['long', '5s'])
    assertFieldRefused(() => read('a-t2v', {}, { seconds }), { param: 'seconds', message: /must be a number/ });
});

test('video-edit sends no duration, whatever is given (spec 2.6 media rule 5)', () => {
  assert.ok(!('duration' in read('a-video-edit', { duration: 8 }, { duration: 9, seconds: '10' })));
});

test('seed is kept from 0 to 2147483647, an explicit 0 too, and refused outside (spec 2.6, 8)', () => {
  for (const model of MODELS) {
    for (const seed of [0, 1, 2_147_483_647]) assert.equal(read(model, { seed }).seed, seed);
    assert.equal(read(model, { seed: '0' }).seed, 0);
    assert.ok(!('seed' in read(model, { seed: null })));
    for (const seed of [-1, 2_147_483_648, '-1']) refuses(model, { seed }, 'metadata.seed', /from 0 to 2147483647/);
    for (const seed of [1.5, 'word', '', true, {}]) refuses(model, { seed }, 'metadata.seed', /whole number/);
  }
});

test('watermark is always sent, false unless asked for (spec 2.6)', () => {
  for (const model of MODELS) {
    for (const value of [true, 'true', 'True']) assert.equal(read(model, { watermark: value }).watermark, true);
    for (const value of [false, 'false', null]) assert.equal(read(model, { watermark: value }).watermark, false);
    for (const value of [1, 'yes', '', {}]) refuses(model, { watermark: value }, 'metadata.watermark', /true or false/);
  }
});

test('audio_setting is for video-edit only: auto or origin (spec 2.6)', () => {
  for (const value of ['auto', 'origin'])
    assert.equal(read('a-video-edit', { audio_setting: value }).audio_setting, value);
  for (const value of ['loud', '', 1, true])
    refuses('a-video-edit', { audio_setting: value }, 'metadata.audio_setting', /auto, origin/);
  for (const model of ['a-t2v', 'a-i2v', 'a-r2v']) {
    assert.ok(!('audio_setting' in read(model, { audio_setting: 'origin' })));
    assert.ok(!('audio_setting' in read(model, { audio_setting: 'loud' })));
  }
});

test('metadata that is not in the table is not sent (contract 5)', () => {
  const extra = { prompt_extend: true, model: 'other', fps: 30, input: {}, parameters: { duration: 9 } };
  assert.deepEqual(read('a-t2v', extra), { resolution: '1080P', duration: 5, watermark: false });
});
