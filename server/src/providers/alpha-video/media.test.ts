import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { capabilityOf } from './capability.ts';
import { type MediaItem, readMedia } from './media.ts';

type Fields = Partial<VideoRequest>;
const read = (model: string, fields: Fields = {}): MediaItem[] =>
  readMedia(videoRequestOf({ model, ...fields }), capabilityOf(model, model));
const refuses = (model: string, fields: Fields, param: string, message: RegExp): void =>
  assertFieldRefused(() => read(model, fields), { param, message });

const image = (name: string): string => `https://media.test/${name}.png`;
const images = (count: number): string[] => Array.from({ length: count }, (_, index) => image(String(index)));
const items = (type: string, count: number): unknown[] => images(count).map((url) => ({ type, url }));
const source = { type: 'video', url: 'https://media.test/source.mp4' };

test('t2v takes the prompt alone: any media, in whichever field, are refused (spec 2.6)', () => {
  assert.deepEqual(read('a-t2v'), []);
  assert.deepEqual(read('a-t2v', { metadata: { media: [] } }), []);
  const alone = /from the prompt alone/;
  refuses('a-t2v', { images: [image('a')] }, 'images', alone);
  refuses('a-t2v', { images: [image('a')], image: image('a') }, 'image', alone);
  refuses('a-t2v', { inputReference: image('a') }, 'input_reference', alone);
  for (const type of ['first_frame', 'reference_image', 'video'])
    refuses('a-t2v', { metadata: { media: items(type, 1) } }, 'metadata.media', alone);
});

test('i2v takes exactly one first frame (spec 2.6, 8)', () => {
  const stated = items('first_frame', 1);
  assert.deepEqual(read('a-i2v', { metadata: { media: stated } }), stated);
  refuses('a-i2v', {}, 'image', /"a-i2v" takes exactly 1 media of type first_frame, and 'image' has 0/);
  refuses('a-i2v', { metadata: { media: items('first_frame', 2) } }, 'metadata.media', /exactly 1 .* has 2/);
  for (const type of ['reference_image', 'video'])
    refuses('a-i2v', { metadata: { media: items(type, 1) } }, 'metadata.media', /does not take media of type/);
});

test('without metadata.media, i2v takes input_reference or image as the first frame (spec 2.6 media rule 2)', () => {
  const first = [{ type: 'first_frame', url: image('a') }];
  assert.deepEqual(read('a-i2v', { inputReference: image('a') }), first);
  assert.deepEqual(read('a-i2v', { image: image('a'), images: [image('a')] }), first);
  assert.deepEqual(read('a-i2v', { images: [image('a')] }), first);
  assert.deepEqual(read('a-i2v', { inputReference: image('a'), images: [image('a')], image: image('a') }), first);
  assert.deepEqual(read('a-i2v', { images: [image('a')], metadata: { media: [] } }), first);
  refuses('a-i2v', { images: images(2) }, 'images', /has 2/);
});

test('i2v prefers input_reference, then image, then images, as r2v prefers one field over another', () => {
  const [reference, single] = [{ inputReference: image('a') }, { image: image('b'), images: images(2) }];
  assert.deepEqual(read('a-i2v', { ...reference, ...single }), [{ type: 'first_frame', url: image('a') }]);
  assert.deepEqual(read('a-i2v', single), [{ type: 'first_frame', url: image('b') }]);
});

test('r2v takes 1 to 9 reference images, in their order (spec 2.6, 8)', () => {
  for (const count of [1, 9]) {
    const stated = items('reference_image', count);
    assert.deepEqual(read('a-r2v', { metadata: { media: stated } }), stated);
    assert.deepEqual(read('a-r2v', { images: images(count) }), stated);
  }
  refuses('a-r2v', {}, 'images', /takes 1 to 9 media of type reference_image, and 'images' has 0/);
  refuses('a-r2v', { images: images(10) }, 'images', /has 10/);
  refuses('a-r2v', { metadata: { media: items('reference_image', 10) } }, 'metadata.media', /has 10/);
  for (const type of ['first_frame', 'video'])
    refuses('a-r2v', { metadata: { media: items(type, 1) } }, 'metadata.media', /does not take media of type/);
});

test('without metadata.media, r2v takes images or input_reference (spec 2.6 media rule 2)', () => {
  const reference = (name: string): MediaItem => ({ type: 'reference_image', url: image(name) });
  assert.deepEqual(read('a-r2v', { inputReference: image('a') }), [reference('a')]);
  assert.deepEqual(read('a-r2v', { images: [image('b')], inputReference: image('a') }), [reference('b')]);
  assert.deepEqual(read('a-r2v', { images: [image('b')], image: image('b') }), [reference('b')]);
});

test('video-edit takes exactly one source video, only in metadata.media, and up to 5 references (spec 2.6 rule 3)', () => {
  assert.deepEqual(read('a-video-edit', { metadata: { media: [source] } }), [source]);
  const full = [source, ...items('reference_image', 5)];
  assert.deepEqual(read('a-video-edit', { metadata: { media: full } }), full);
  const noVideo = /takes exactly 1 media of type video, and 'metadata.media' has 0/;
  refuses('a-video-edit', {}, 'metadata.media', noVideo);
  refuses('a-video-edit', { inputReference: source.url, images: images(1) }, 'metadata.media', noVideo);
  refuses('a-video-edit', { metadata: { media: items('reference_image', 1) } }, 'metadata.media', noVideo);
  refuses('a-video-edit', { metadata: { media: [source, source] } }, 'metadata.media', /exactly 1 .* has 2/);
  const six = [source, ...items('reference_image', 6)];
  refuses('a-video-edit', { metadata: { media: six } }, 'metadata.media', /at most 5 .* has 6/);
  refuses(
    'a-video-edit',
    { metadata: { media: [source, ...items('first_frame', 1)] } },
    'metadata.media',
    /first_frame/,
  );
});

test('metadata.media is preferred over the plain fields (spec 2.6 media rule 1)', () => {
  const stated = items('first_frame', 1);
  assert.deepEqual(
    read('a-i2v', { images: images(3), inputReference: image('x'), metadata: { media: stated } }),
    stated,
  );
});

test('of an item only type and address are kept', () => {
  const media = [{ type: 'first_frame', url: ` ${image('a')} `, role: 'x' }];
  assert.deepEqual(read('a-i2v', { metadata: { media } }), [{ type: 'first_frame', url: image('a') }]);
});

test('what is no list of items is refused by the very field', () => {
  const of = (media: unknown): Fields => ({ metadata: { media } });
  for (const media of [{}, 'https://media.test/a.png', 7, true])
    refuses('a-i2v', of(media), 'metadata.media', /an array/);
  for (const item of [null, 'x', 7, []]) refuses('a-i2v', of([item]), 'metadata.media[0]', /an object/);
  for (const type of [undefined, null, 7, '', 'last_frame', 'FIRST_FRAME'])
    refuses('a-i2v', of([{ type, url: image('a') }]), 'metadata.media[0].type', /first_frame, reference_image, video/);
  for (const url of [undefined, null, 7, {}])
    refuses('a-i2v', of([source, { type: 'video', url }]), 'metadata.media[1].url', /a string/);
  assert.deepEqual(read('a-t2v', of(null)), []); // null counts as absent
});

test('every address is http, https or data (contract 5)', () => {
  for (const url of [image('a'), 'http://a.test/x', 'HTTPS://a.test/x', 'data:image/png;base64,AAAA'])
    assert.equal(read('a-i2v', { inputReference: url })[0]?.url, url);
  for (const url of [
    '',
    ' ',
    'file:///etc/passwd',
    'oss://x/y',
    'ftp://a.test/x',
    '//a.test/x',
    'a.png',
    'http://',
    'data:',
  ]) {
    refuses('a-i2v', { metadata: { media: [{ type: 'first_frame', url }] } }, 'metadata.media[0].url', /http/);
    refuses('a-i2v', { inputReference: url }, 'input_reference', /http/);
    refuses('a-r2v', { images: [image('a'), url] }, 'images', /http/);
  }
});
