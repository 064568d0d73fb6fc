import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { highestDetails } from './highest-cost.ts';

const IMAGES = { media: ['image_input'], output: ['image_output'] } as const;
const TOKENS = { input: 1_600, mediaInput: 1_500, output: 6_240 };

function price(fields: Record<string, string>): Price {
  const read = readPrice(JSON.stringify({ unit: 'tokens', input: '5', output: '10', ...fields }));
  assert.ok(read);
  return read;
}

test('media are taken for what they are where that costs more than plain tokens', () => {
  const dear = price({ image_input: '8', image_output: '32', audio_input: '9', audio_output: '99' });
  assert.deepEqual(highestDetails(dear, IMAGES, TOKENS), { imageInput: 1_500, imageOutput: 6_240 });
  assert.deepEqual(highestDetails(dear, { media: ['audio_input'] }, TOKENS), { audioInput: 1_500 });
  assert.deepEqual(highestDetails(dear, { output: ['audio_output'] }, TOKENS), { audioOutput: 6_240 });
  assert.deepEqual(highestDetails(dear, {}, TOKENS), {});
});

test('of several things that tokens can be, they are the most expensive', () => {
  const dear = price({ image_input: '8', audio_input: '9', image_output: '99', audio_output: '32' });
  const either = { media: ['image_input', 'audio_input'], output: ['image_output', 'audio_output'] } as const;
  assert.deepEqual(highestDetails(dear, either, TOKENS), { audioInput: 1_500, imageOutput: 6_240 });
});

test('words that an upstream may be asked to keep are written to its cache, media too where that costs more', () => {
  const kept = { text: ['cache_write'], media: ['image_input', 'cache_write'] } as const;
  const TEXT = 100;
  const dearImages = price({ image_input: '8', cache_write: '6' });
  assert.deepEqual(highestDetails(dearImages, kept, TOKENS), { cacheWrite: TEXT, imageInput: 1_500 });
  assert.deepEqual(highestDetails(price({ image_input: '5.5', cache_write: '6' }), kept, TOKENS), {
    cacheWrite: 1_600,
  });
  assert.deepEqual(highestDetails(price({ cache_write: '4' }), kept, TOKENS), {});
});

test('without a rate of their own, or with one that is not above the plain one, they stay plain', () => {
  assert.deepEqual(highestDetails(price({}), IMAGES, TOKENS), {});
  assert.deepEqual(highestDetails(price({ image_input: '5', image_output: '9' }), IMAGES, TOKENS), {});
  assert.deepEqual(highestDetails(price({ image_output: '11' }), IMAGES, TOKENS), { imageOutput: 6_240 });
  const perImage = readPrice('{"unit":"image","amount":"1"}');
  assert.ok(perImage);
  assert.deepEqual(highestDetails(perImage, IMAGES, TOKENS), {});
});
