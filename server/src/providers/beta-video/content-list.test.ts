import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { tierOf } from './billable.ts';
import { type ContentItem, writeContent } from './content-list.ts';

const write = (fields: Partial<VideoRequest>): ContentItem[] =>
  writeContent(videoRequestOf({ model: 'beta', ...fields }));
const stated = (content: unknown, fields: Partial<VideoRequest> = {}): ContentItem[] =>
  write({ ...fields, metadata: { content } });

const text = { type: 'text', text: 'a paper boat' };
const image = { type: 'image_url', image_url: { url: 'https://m.test/1.png' } };
const video = { type: 'video_url', video_url: { url: 'https://m.test/1.mp4' } };
const audio = { type: 'audio_url', audio_url: { url: 'https://m.test/1.mp3' } };

test('the prompt is the one text, behind the images (spec 2.5 forwarding map, contract 5)', () => {
  assert.deepEqual(write({}), [text]);
  assert.deepEqual(write({ images: ['https://m.test/1.png'] }), [image, text]);
  assert.deepEqual(
    write({ images: ['https://m.test/1.png', 'data:image/png;base64,AA'] })
      .slice(0, 2)
      .map((item) => item['image_url']),
    [{ url: 'https://m.test/1.png' }, { url: 'data:image/png;base64,AA' }],
  );
});

test('a reference of a task-style client is an image when there is no other', () => {
  assert.deepEqual(write({ inputReference: 'https://m.test/1.png' }), [image, text]);
  assert.deepEqual(write({ inputReference: 'https://m.test/2.png', images: ['https://m.test/1.png'] }), [image, text]);
});

test('one image is the first frame, and needs no role for it (spec 2.5 rule 4)', () => {
  assert.deepEqual(write({ images: ['https://m.test/1.png'] }), [image, text]);
});

test('a clip to go on from or to refer to is sent as it is, before the prompt (spec 2.5 rule 6)', () => {
  for (const clip of [video, { ...video, role: 'reference_video' }]) assert.deepEqual(stated([clip]), [clip, text]);
});

test('first and last frame are tagged by role (spec 2.5 rule 5)', () => {
  const frames = [
    { ...image, role: 'first_frame' },
    { type: 'image_url', image_url: { url: 'https://m.test/2.png' }, role: 'last_frame' },
  ];
  assert.deepEqual(stated(frames), [...frames, text]);
});

test('metadata.content replaces the images, and its texts are ignored (spec 2.5 rule 7)', () => {
  const content = [{ type: 'text', text: 'other' }, video, { type: 'text' }, audio, image];
  assert.deepEqual(stated(content, { images: ['https://m.test/9.png'], inputReference: 'x' }), [
    video,
    audio,
    image,
    text,
  ]);
  assert.deepEqual(stated([], { images: ['https://m.test/9.png'] }), [text]);
  assert.deepEqual(stated(null, { images: ['https://m.test/1.png'] }), [image, text]); // null counts as absent
});

test('fields of an item that we do not know stay', () => {
  const items = [
    { ...image, role: 'reference_image', detail: { a: [1] } },
    { type: 'image_url', image_url: { url: 'asset://1', detail: 'high' } },
  ];
  assert.deepEqual(stated(items), [...items, text]);
});

test('a shape that is none is refused by the very field', () => {
  const refuses = (content: unknown, param: string, message: RegExp): void =>
    assertFieldRefused(() => stated(content), { param, message });
  for (const content of ['x', {}, 7, true]) refuses(content, 'metadata.content', /an array/);
  for (const item of ['x', null, 7, []]) refuses([image, item], 'metadata.content[1]', /an object/);
  for (const type of ['draft_task', 'Image_url', '', 'toString'])
    refuses([{ type, [type]: { url: 'x' } }], 'metadata.content[0].type', /image_url, video_url, audio_url or text/);
  refuses([{ ...image, role: 7 }], 'metadata.content[0].role', /a string/);
  for (const type of [undefined, null, 7]) refuses([{ ...image, type }], 'metadata.content[0].type', /a string/);
  for (const type of ['image_url', 'video_url', 'audio_url']) {
    for (const payload of [undefined, null, 'https://m.test/1', []])
      refuses([{ type, [type]: payload }], `metadata.content[0].${type}`, /an object/);
    for (const url of [undefined, null, 7])
      refuses([{ type, [type]: { url } }], `metadata.content[0].${type}.url`, /a string/);
    for (const url of ['', ' '])
      refuses([{ type, [type]: { url } }], `metadata.content[0].${type}.url`, /not be empty/);
  }
});

test('the tier is video_input when a video is really sent (spec 2.5, billing; promise M-16)', () => {
  assert.equal(tierOf(stated([video])), 'video_input');
  assert.equal(tierOf(stated([image, audio, video])), 'video_input');
  for (const content of [[], [image], [audio], [{ ...video, type: 'text' }]])
    assert.equal(tierOf(stated(content)), 'generate', JSON.stringify(content));
  assert.equal(tierOf(write({ metadata: { tier: 'video_input', video_url: { url: 'x' } } })), 'generate');
});

test('the address of a video inside another item is not sent, and makes nothing cheaper', () => {
  for (const type of ['image_url', 'audio_url']) {
    const sent = stated([{ ...image, ...audio, ...video, type }]);
    assert.equal(tierOf(sent), 'generate');
    assert.ok(!JSON.stringify(sent).includes('1.mp4'));
  }
});
