import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertRefused } from '../../testing/refusals.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { readGeneration } from './read-request.ts';

const json = (fields: unknown): Buffer => Buffer.from(JSON.stringify(fields));
const plain = { model: 'alpha-1.1-t2v', prompt: 'a paper boat' };
const read = (fields: Record<string, unknown> = {}) => readGeneration(json({ ...plain, ...fields }));

test('what is read holds all fields of the submit request (spec 2.1)', () => {
  const request = read({
    images: ['https://m.test/1.png', 'https://m.test/2.png'],
    image: 'https://m.test/3.png',
    metadata: { seed: 0, a: { b: [1] } },
    seconds: '8',
    duration: 9,
    size: '1280x720',
    mode: 'pro',
    input_reference: 'https://m.test/4.png',
    unknown: true,
  });
  assert.deepEqual(request, {
    ...plain,
    images: ['https://m.test/1.png', 'https://m.test/2.png'],
    image: 'https://m.test/3.png',
    inputReference: 'https://m.test/4.png',
    seconds: '8',
    duration: 9,
    size: '1280x720',
    mode: 'pro',
    metadata: { seed: 0, a: { b: [1] } },
    unknown: ['unknown'],
  });
});

test('what is absent, null or an empty text is undefined', () => {
  const nothing = {
    ...plain,
    images: [],
    image: undefined,
    inputReference: undefined,
    seconds: undefined,
    duration: undefined,
    size: undefined,
    mode: undefined,
    metadata: {},
    unknown: [],
  };
  assert.deepEqual(read(), nothing);
  const names = ['image', 'images', 'metadata', 'seconds', 'duration', 'size', 'mode', 'input_reference'];
  assert.deepEqual(read(Object.fromEntries(names.map((name) => [name, null]))), nothing);
  const texts = names.filter((name) => name !== 'images');
  assert.deepEqual(read(Object.fromEntries(texts.map((name) => [name, '']))), nothing);
});

test('a prompt that is missing or blank is refused in the very words of the spec (spec 2.1, 7)', () => {
  for (const prompt of [undefined, null, '', '   ', '\n\t'])
    assertRefused(() => read({ prompt }), 'prompt is required', 'prompt');
  assertRefused(() => readGeneration(json({})), 'prompt is required', 'prompt');
});

test('a body with an upstream’s content[] has no prompt (spec 2.1 rule 1)', () => {
  const content = [{ type: 'text', text: 'a paper boat' }];
  assertRefused(() => readGeneration(json({ model: 'beta', content })), 'prompt is required', 'prompt');
  assertRefused(() => readGeneration(json({ content, ratio: '16:9', duration: 5 })), 'prompt is required', 'prompt');
});

test('the prompt is handed on as it is', () => {
  assert.equal(read({ prompt: '  two  spaces ' }).prompt, '  two  spaces ');
});

test('a model is required', () => {
  for (const model of [undefined, null, '', ' ']) assertRefused(() => read({ model }), "'model' is required.", 'model');
});

test('image is normalized into images when images is empty (spec 2.1)', () => {
  const image = 'https://m.test/1.png';
  assert.deepEqual(read({ image }).images, [image]);
  assert.deepEqual(read({ image, images: [] }).images, [image]);
  assert.deepEqual(read({ image, images: ['https://m.test/2.png'] }).images, ['https://m.test/2.png']);
});

test('seconds is text, and a number becomes one', () => {
  for (const [seconds, text] of [
    ['8', '8'],
    [' 8 ', '8'],
    [8, '8'],
    [8.5, '8.5'],
    ['long', 'long'],
  ] as const)
    assert.equal(read({ seconds }).seconds, text);
});

test('duration is a whole number, or one as text', () => {
  for (const [duration, number] of [
    [8, 8],
    ['8', 8],
    [0, 0],
    [-1, -1],
  ] as const)
    assert.equal(read({ duration }).duration, number);
});

test('metadata is an object, or the JSON text of one (contract 5)', () => {
  assert.deepEqual(read({ metadata: '{"duration": 6}' }).metadata, { duration: 6 });
  for (const metadata of ['[1]', 'null', '7', 'word', '{', '"x"'])
    assertFieldRefused(() => read({ metadata }), { param: 'metadata', message: /object, or the JSON text of one/ });
});

test('a field of the wrong type is refused by its name', () => {
  const wrong: Record<string, unknown[]> = {
    model: [7, {}],
    prompt: [7, ['a'], {}],
    image: [7, {}, ['a']],
    images: ['https://m.test/1.png', {}, 7],
    metadata: [[], 7, true],
    seconds: [{}, [], true],
    duration: [{}, [], true, 'long', '5s', 5.5, '5.5', 1e300],
    size: [7, {}],
    mode: [7, []],
    input_reference: [7, {}, []],
  };
  for (const [param, values] of Object.entries(wrong)) {
    for (const value of values) assertFieldRefused(() => read({ [param]: value }), { param, message: /must be/ });
  }
  for (const item of [7, null, {}, '', ' '])
    assertFieldRefused(() => read({ images: ['https://m.test/1.png', item] }), {
      param: 'images[1]',
      message: /'images\[1\]' must be a string/,
    });
});

test('a field that stands twice, or in another spelling, is refused', () => {
  const twice = Buffer.from('{"model":"a","model":"b","prompt":"p"}');
  assertFieldRefused(() => readGeneration(twice), { param: 'model', message: /more than once/ });
  assertFieldRefused(() => read({ Metadata: {} }), { param: 'metadata', message: /must be written 'metadata'/ });
});

test('whatever JSON comes, there is a request or a refusal, and never another error', () => {
  const fields = ['model', 'prompt', 'image', 'images', 'metadata', 'seconds', 'duration', 'size', 'input_reference'];
  const bodies = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
  fc.assert(
    fc.property(bodies, (body) => {
      try {
        const { model, prompt, images, metadata } = readGeneration(json(body));
        assert.ok(model !== '' && prompt.trim() !== '' && Array.isArray(images) && typeof metadata === 'object');
      } catch (error) {
        assert.equal((error as { code?: unknown }).code, 'invalid_request', String(error));
      }
    }),
  );
});
