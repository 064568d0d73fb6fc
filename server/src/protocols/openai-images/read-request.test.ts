import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAKE_TYPE, fakeForm, textOf } from '../../testing/fake-form.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { readFormEdit, readGeneration, readJsonEdit } from './index.ts';

const json = (fields: Record<string, unknown>): Buffer => Buffer.from(JSON.stringify(fields));
const generation = { model: 'm', prompt: 'a cat' };

test('an image request tells how many images of which size and quality are requested (spec 2.8)', () => {
  const plain = readGeneration(json(generation));
  assert.deepEqual(plain.images, { count: 1, size: undefined, quality: undefined });
  assert.deepEqual([plain.model, plain.stream, plain.choices], ['m', false, 1]);
  const full = readGeneration(json({ ...generation, n: 3, size: '1024x1536', quality: 'hd', stream: true }));
  assert.deepEqual(full.images, { count: 3, size: '1024x1536', quality: 'hd' });
  assert.deepEqual([full.stream, full.choices], [true, 3]);
  assert.deepEqual(readGeneration(json({ ...generation, n: null, size: null })).images?.count, 1);
});

test('a field that is missing or of the wrong type is named', () => {
  const refuses = (fields: Record<string, unknown>, param: string, message: RegExp): void =>
    assertRefused(() => readGeneration(json({ ...generation, ...fields })), message, param);
  refuses({ model: undefined }, 'model', /'model' is required/);
  refuses({ prompt: undefined }, 'prompt', /'prompt' is required/);
  refuses({ prompt: '' }, 'prompt', /'prompt' is required/);
  refuses({ prompt: ['a'] }, 'prompt', /must be a string/);
  for (const n of [0, -1, 1.5, 129]) refuses({ n }, 'n', /whole number from 1 to 128/);
  refuses({ n: '1' }, 'n', /whole number/);
  refuses({ stream: 'true' }, 'stream', /true or false/);
  for (const name of ['quality', 'size', 'response_format']) refuses({ [name]: 1 }, name, /a string/);
  for (const watermark of ['true', 0, []]) refuses({ watermark }, 'watermark', /must be true or false/);
  refuses({ Model: 'x' }, 'model', /must be written 'model'/);
  for (const field of ['model', 'n', 'size', 'quality', 'response_format', 'stream', 'watermark']) {
    const doubled = Buffer.from(`{"model":"m","prompt":"p","${field}":null,"${field}":null}`);
    assertRefused(() => readGeneration(doubled), /./, field);
  }
});

test('a size has one spelling, with the letter x (spec 2.8)', () => {
  const read = (size: unknown) => readGeneration(json({ ...generation, size }));
  for (const size of ['1024x1024', '1x1', 'auto', '2K', 'landscape']) assert.equal(read(size).images?.size, size);
  assertRefused(() => read('1024\u00d71024'), /multiplication sign\. Use the letter x/, 'size');
  for (const size of ['', '1024', '1024X1024', '1024*1024', '01024x1024', '1024x', '1024x1024 ', '1024\u04451024'])
    assertRefused(() => read(size), /<width>x<height>/, 'size');
});

test('an image request is sent as it came but for the model and what the channel drops', () => {
  const body = Buffer.from('{"model": "m",\n "prompt":"p", "watermark":false, "style" : {"a":[1]}}');
  const request = readGeneration(body);
  assert.equal(request.write({ upstreamModel: 'm', dropFields: [] }), body);
  assert.equal(
    textOf(request.write({ upstreamModel: 'up', dropFields: ['watermark', 'prompt', 'model'] })),
    '{"model": "up",\n "prompt":"p", "style" : {"a":[1]}}',
  );
});

test('an edit in JSON needs an image, by its address', () => {
  const read = (fields: Record<string, unknown>) => readJsonEdit(json({ ...generation, ...fields }));
  assert.equal(read({ image: 'https://a/b.png' }).mediaCount, 1);
  assert.equal(read({ images: ['https://a/b.png', { image_url: 'https://a/c.png' }] }).mediaCount, 2);
  for (const fields of [{}, { image: '' }, { image: null }, { images: [] }])
    assertRefused(() => read(fields), /'image' is required/, 'image');
  assertRefused(() => read({ image: 1 }), /string or an array/, 'image');
});

test('an edit in a form takes image, image[], image[n] and images, as files or addresses (spec 2.8, 8)', async () => {
  const texts = { model: 'm', prompt: 'p', n: '2', size: 'auto', quality: 'high', stream: 'True' };
  for (const name of ['image', 'image[]', 'image[0]', 'image[12]', 'images', 'images[]']) {
    const request = readFormEdit(fakeForm([...Object.entries(texts), [name, { file: 'png' }]]));
    assert.deepEqual(request.images, { count: 2, size: 'auto', quality: 'high' });
    assert.deepEqual([request.stream, request.mediaCount], [true, 1]);
  }
  const several = fakeForm([
    ['model', 'm'],
    ['image', { file: 'a' }],
    ['image', 'https://a/b.png'],
    ['mask', { file: 'c' }],
    ['prompt', 'p'],
    ['user', 'u'],
  ]);
  const request = readFormEdit(several);
  assert.equal(request.mediaCount, 3);
  const body = request.write({ upstreamModel: 'up', dropFields: ['user', 'image', 'model'] });
  assert.ok(!Buffer.isBuffer(body));
  assert.equal(body.contentType, FAKE_TYPE);
  assert.deepEqual(several.rewritten, { set: { model: 'up' }, remove: ['user'] });
});

test('a form that lacks a field, doubles one or sends a file for a text is refused by name', () => {
  const base: [string, string | { file: string }][] = [
    ['model', 'm'],
    ['prompt', 'p'],
    ['image', { file: 'png' }],
  ];
  const refuses = (parts: typeof base, param: string, message: RegExp): void =>
    assertRefused(() => readFormEdit(fakeForm(parts)), message, param);
  for (const name of ['model', 'image'])
    refuses(
      base.filter(([one]) => one !== name),
      name,
      /is required/,
    );
  refuses([...base.slice(0, 2), ['image', { file: '' }]], 'image', /is required/);
  for (const name of ['n', 'size', 'quality', 'response_format', 'stream', 'watermark', 'model'])
    refuses([...base, [name, '1'], [name, '1']], name, /more than once/);
  refuses([...base, ['n', { file: '1' }]], 'n', /not a file/);
  refuses([...base, ['response_format', { file: '1' }]], 'response_format', /not a file/);
  for (const n of ['0', '129', '1.5', 'one', ' ']) refuses([...base, ['n', n]], 'n', /whole number from 1 to 128/);
  refuses([...base, ['stream', 'yes']], 'stream', /true or false/);
  for (const watermark of ['yes', '1']) refuses([...base, ['watermark', watermark]], 'watermark', /true or false/);
  refuses([...base, ['watermark', { file: 'true' }]], 'watermark', /not a file/);
  refuses([...base, ['size', '9\u00d79']], 'size', /letter x/);
  refuses([...base, ['Model', 'other']], 'model', /must be written 'model'/);
  for (const quality of ['high ', ' high', 'high\0', 'hi gh', 'h\u0131gh'])
    refuses([...base, ['quality', quality]], 'quality', /must be a word such as high/);
});

test('what a reader of forms could take for a known field is refused, and only lists may repeat (contract 4)', () => {
  const base: [string, string | { file: string }][] = [
    ['model', 'm'],
    ['image', { file: 'png' }],
  ];
  const spellings = ['n[]', 'n[0]', 'n[x]', 'n[', 'N', ' n', 'n ', 'model[]', 'response.format', 'response format'];
  for (const name of spellings) {
    const param = name.trim().toLowerCase().split('[')[0]?.replace(/[ .]/u, '_') ?? '';
    assertRefused(() => readFormEdit(fakeForm([...base, [name, '9']])), /must be written/, param);
  }
  for (const name of ['user', 'mask', 'image[0]', 'images[3]', 'extra[key]', 'partial_images'])
    assertRefused(
      () => readFormEdit(fakeForm([...base, [name, '1'], [name, '1']])),
      /more than once/,
      name.replace(/^(images?)\[.*/u, '$1'),
    );
  const lists = ['image', 'images', 'image[]', 'images[]', 'tags[]', 'deep[][x]'];
  readFormEdit(
    fakeForm([
      ...base,
      ...lists.flatMap((name): [string, string][] => [
        [name, 'a'],
        [name, 'b'],
      ]),
    ]),
  );
});

test('a field that a channel filters out stays out in every spelling; what decides stays in', () => {
  const form = fakeForm([
    ['model', 'm'],
    ['image[]', { file: 'png' }],
    ['images[0]', { file: 'png' }],
    ...['user', 'User', 'user[]', 'user[id]', 'us.er', 'users'].map((name): [string, string] => [name, 'u']),
  ]);
  readFormEdit(form).write({ upstreamModel: 'm', dropFields: ['user', 'image', 'images', 'model'] });
  assert.deepEqual(form.rewritten?.remove, ['user', 'User', 'user[]', 'user[id]']);
});

test('an empty field of a form counts as absent, here and upstream; an empty model is none', () => {
  const empty = ['prompt', 'n', 'size', 'quality', 'response_format', 'stream', 'watermark', 'background', 'mask'];
  const form = fakeForm([
    ['model', 'm'],
    ...empty.map((name): [string, string] => [name, '']),
    ['tag[]', ''],
    ['tag[]', 'kept'],
    ['image', ''],
    ['image', { file: 'png' }],
  ]);
  const request = readFormEdit(form);
  assert.deepEqual(request.images, { count: 1, size: undefined, quality: undefined });
  assert.deepEqual([request.stream, request.choices, request.mediaCount], [false, 1, 1]);
  request.write({ upstreamModel: 'up', dropFields: ['tag[]'] });
  assert.deepEqual(form.rewritten, { set: { model: 'up' }, remove: ['tag[]', ...empty] });
  request.write({ upstreamModel: 'm', dropFields: [] });
  assert.deepEqual(form.rewritten, { set: {}, remove: empty });
  const noModel = fakeForm([
    ['model', ''],
    ['image', { file: 'png' }],
  ]);
  assertRefused(() => readFormEdit(noModel), "'model' is required.", 'model');
});

test('pictures given as text in a form are media, not text that models count', () => {
  const read = (more: [string, string][]) => readFormEdit(fakeForm([['model', 'm'], ['prompt', 'p'], ...more]));
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const one = read([['image', url]]);
  assert.deepEqual([one.inputBytes, one.mediaCount], ['mp'.length, 1]);
  const several = read([
    ['image[0]', url],
    ['image[]', url],
    ['images', url],
    ['mask', url],
    ['user', 'u'],
  ]);
  assert.deepEqual([several.inputBytes, several.mediaCount], ['mpu'.length, 4]);
});
