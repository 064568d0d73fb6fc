import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { dearestDetails } from './dearest-details.ts';

const IMAGES = { input: 'image', output: 'image' } as const;
const TOKENS = { mediaInput: 1_500, output: 6_240 };

function price(fields: Record<string, string>): Price {
  const read = readPrice(JSON.stringify({ unit: 'tokens', input: '5', output: '10', ...fields }));
  assert.ok(read);
  return read;
}

test('media are taken for what they are where that is dearer than plain tokens', () => {
  const dear = price({ image_input: '8', image_output: '32', audio_input: '9', audio_output: '99' });
  assert.deepEqual(dearestDetails(dear, IMAGES, TOKENS), { imageInput: 1_500, imageOutput: 6_240 });
  assert.deepEqual(dearestDetails(dear, { input: 'audio' }, TOKENS), { audioInput: 1_500 });
  assert.deepEqual(dearestDetails(dear, { output: 'audio' }, TOKENS), { audioOutput: 6_240 });
  assert.deepEqual(dearestDetails(dear, {}, TOKENS), {});
});

test('without a rate of their own, or with one that is not above the plain one, they stay plain', () => {
  assert.deepEqual(dearestDetails(price({}), IMAGES, TOKENS), {});
  assert.deepEqual(dearestDetails(price({ image_input: '5', image_output: '9' }), IMAGES, TOKENS), {});
  assert.deepEqual(dearestDetails(price({ image_output: '11' }), IMAGES, TOKENS), { imageOutput: 6_240 });
  const perImage = readPrice('{"unit":"image","amount":"1"}');
  assert.ok(perImage);
  assert.deepEqual(dearestDetails(perImage, IMAGES, TOKENS), {});
});
