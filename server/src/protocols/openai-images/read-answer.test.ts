import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImagesAnswer } from './read-answer.ts';

const read = (value: unknown) => readImagesAnswer(Buffer.from(JSON.stringify(value)));

test('the images of an answer are counted, whatever they hold', () => {
  const answer = read({ created: 1, data: [{ url: 'https://a' }, { b64_json: 'A'.repeat(5000) }] });
  assert.deepEqual([answer?.images, answer?.hasError, answer?.usage], [2, false, undefined]);
  assert.equal(read({ created: 1, data: [] })?.images, 0);
});

test('output of images is image output, unless the upstream divides it', () => {
  const usage = { input_tokens: 50, output_tokens: 1056, input_tokens_details: { text_tokens: 10, image_tokens: 40 } };
  assert.deepEqual(read({ data: [{}], usage })?.usage, {
    input: 50,
    output: 1056,
    cachedInput: 0,
    cacheWrite: 0,
    audioInput: 0,
    audioOutput: 0,
    imageInput: 40,
    imageOutput: 1056,
    reasoning: 0,
  });
  const divided = { ...usage, output_tokens_details: { image_tokens: 1000, text_tokens: 56 } };
  assert.equal(read({ data: [{}], usage: divided })?.usage?.imageOutput, 1000);
  for (const input_tokens of [-1, '5', 1.5, 1e18])
    assert.equal(read({ data: [{}], usage: { ...usage, input_tokens } })?.usage, undefined);
});

test('what is no answer of images is distinguished from one', () => {
  assert.equal(readImagesAnswer(Buffer.from('<html>')), undefined);
  assert.equal(read({ created: 1 }), undefined);
  assert.equal(read({ data: {} }), undefined);
  assert.equal(read({ error: { message: 'no' } })?.hasError, true);
});
