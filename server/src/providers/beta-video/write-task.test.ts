import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { planTask } from './write-task.ts';

const dropped = (fields: Partial<VideoRequest>): string[] => [
  ...planTask(videoRequestOf({ model: 'beta-2-0-260128', ...fields }), 'up').dropped,
];
const [first, second] = ['https://m.test/1.png', 'https://m.test/2.png'];
const image = { type: 'image_url', image_url: { url: first } };
const video_url = { url: 'https://m.test/v.mp4' };

test('a request that is sent as it is loses nothing', () => {
  assert.deepEqual(dropped({ images: [first, second], seconds: '6', metadata: { duration: 6, seed: '0' } }), []);
  assert.deepEqual(dropped({ image: first, images: [first] }), []);
  assert.deepEqual(dropped({ inputReference: first }), []);
  const content = [
    { ...image, role: 'first_frame' },
    { type: 'text', text: 'a paper boat' },
  ];
  assert.deepEqual(dropped({ images: [first], metadata: { content, model: null } }), []);
});

test('fields outside the forwarding map are named as the caller wrote them (spec 2.5 rules 1 and 2)', () => {
  const request = { size: '1280x720', mode: 'pro', unknown: ['content'], metadata: { model: 'x', priority: 1 } };
  assert.deepEqual(dropped(request), ['content', 'size', 'mode', 'metadata.model', 'metadata.priority']);
});

test('what another field goes before is named (spec 2.5 rules 3 and 7)', () => {
  assert.deepEqual(dropped({ seconds: '8', duration: 9, metadata: { duration: 6 } }), ['seconds', 'duration']);
  assert.deepEqual(dropped({ seconds: 'long' }), ['seconds']);
  assert.deepEqual(dropped({ seconds: '0', duration: 9 }), ['seconds']);
  assert.deepEqual(dropped({ images: [first], inputReference: second }), ['input_reference']);
  assert.deepEqual(dropped({ images: [second], metadata: { content: [image] } }), ['images']);
  assert.deepEqual(dropped({ image: second, images: [second], metadata: { content: [] } }), ['image']);
});

test('texts and foreign payloads in the content list are named (spec 2.5 rule 7)', () => {
  const content = [
    { type: 'text', text: 'other' },
    { ...image, video_url },
    { type: 'video_url', video_url },
  ];
  assert.deepEqual(dropped({ metadata: { content } }), ['metadata.content[0]', 'metadata.content[1].video_url']);
});
