import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { planTask } from './write-task.ts';

const dropped = (model: string, fields: Partial<VideoRequest> = {}): string[] => [
  ...planTask(videoRequestOf({ model, ...fields }), 'up').dropped,
];
const [first, second] = ['https://m.test/1.png', 'https://m.test/2.png'];
const source = { type: 'video', url: 'https://m.test/v.mp4' };

test('a request that is sent as it is loses nothing', () => {
  const metadata = { resolution: '720p', ratio: '9:16', duration: 5, seed: 0, watermark: true };
  assert.deepEqual(dropped('a-t2v', { metadata }), []);
  assert.deepEqual(dropped('a-t2v', { seconds: '4', duration: 4 }), []);
  assert.deepEqual(dropped('a-i2v', { image: first, images: [first] }), []);
  assert.deepEqual(dropped('a-i2v', { image: first, images: [first], inputReference: ` ${first} ` }), []);
  assert.deepEqual(dropped('a-r2v', { images: [first, second] }), []);
  const edit = { media: [source], duration: 6, audio_setting: 'origin', ratio: null };
  assert.deepEqual(dropped('a-video-edit', { metadata: edit }), []);
});

test('fields without a place are named as the caller wrote them', () => {
  const request = { size: '1280x720', mode: 'pro', unknown: ['resolution'], metadata: { model: 'x', style: 'oil' } };
  assert.deepEqual(dropped('a-t2v', request), ['resolution', 'size', 'mode', 'metadata.model', 'metadata.style']);
  assert.deepEqual(dropped('a-t2v', { metadata: { audio_setting: 'auto' } }), ['metadata.audio_setting']);
  assert.deepEqual(dropped('a-i2v', { image: first, metadata: { ratio: '16:9' } }), ['metadata.ratio']);
  const media = [{ ...source, role: 'x' }];
  assert.deepEqual(dropped('a-video-edit', { seconds: '6', duration: 6, metadata: { media, ratio: '16:9' } }), [
    'seconds',
    'duration',
    'metadata.ratio',
    'metadata.media[0].role',
  ]);
});

test('values that are changed are named: clamped, cut, and an unknown resolution (spec 2.6)', () => {
  for (const duration of [2, 16, 5.5, '99'])
    assert.deepEqual(dropped('a-t2v', { metadata: { duration } }), ['metadata.duration'], String(duration));
  assert.deepEqual(dropped('a-t2v', { duration: 60 }), ['duration']);
  assert.deepEqual(dropped('a-t2v', { seconds: '1' }), ['seconds']);
  for (const resolution of ['4k', 720, ''])
    assert.deepEqual(dropped('a-t2v', { metadata: { resolution } }), ['metadata.resolution'], String(resolution));
  assert.deepEqual(dropped('a-video-edit', { metadata: { media: [source], duration: 61 } }), ['metadata.duration']);
});

test('what another field goes before is named, unless it says the same', () => {
  assert.deepEqual(dropped('a-t2v', { seconds: '8', duration: 9, metadata: { duration: 6 } }), ['seconds', 'duration']);
  assert.deepEqual(dropped('a-i2v', { inputReference: first, image: second, images: [second] }), ['image']);
  assert.deepEqual(dropped('a-i2v', { image: first, images: [first, second] }), ['images']);
  assert.deepEqual(dropped('a-r2v', { images: [first], inputReference: second, image: second }), [
    'image',
    'input_reference',
  ]);
  const media = [{ type: 'first_frame', url: first }];
  assert.deepEqual(dropped('a-i2v', { images: [second], metadata: { media } }), ['images']);
});
