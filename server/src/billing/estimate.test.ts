import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model } from '../catalogue/catalogue.ts';
import {
  DEFAULT_IMAGE_OUTPUT,
  DEFAULT_MAX_OUTPUT,
  estimateForHold,
  estimateInput,
  estimateOutput,
  type TextSize,
} from './estimate.ts';

const modelWith = (maxOutputTokens: number | undefined): Model => ({
  id: 'm',
  ownedBy: 'tollgate',
  endpointTypes: ['compat'],
  price: undefined,
  enabled: true,
  flag: undefined,
  maxOutputTokens,
  created: 0,
});
const size = (parts: Partial<TextSize>): TextSize => ({
  inputBytes: 0,
  mediaCount: 0,
  maxOutputTokens: undefined,
  choices: 1,
  ...parts,
});

test("output is held by the request's own maximum, else the model's, else a default", () => {
  assert.equal(estimateForHold(size({ maxOutputTokens: 77 }), modelWith(500)).output, 77);
  assert.equal(estimateForHold(size({}), modelWith(500)).output, 500);
  assert.equal(estimateForHold(size({}), modelWith(undefined)).output, DEFAULT_MAX_OUTPUT);
});

test('each image is held for as a large one of high quality unless the model says less', () => {
  assert.equal(DEFAULT_IMAGE_OUTPUT, 6_240);
  assert.equal(estimateForHold(size({ images: {}, choices: 3 }), modelWith(undefined)).output, 18_720);
  assert.equal(estimateForHold(size({ images: {}, choices: 3 }), modelWith(1_000)).output, 3_000);
});

test('each choice may use the whole output', () => {
  assert.equal(estimateForHold(size({ maxOutputTokens: 100, choices: 4 }), modelWith(undefined)).output, 400);
});

test('input is held by its size, media by their number', () => {
  const { input } = estimateForHold(size({ inputBytes: 3_000 }), modelWith(undefined));
  assert.ok(input >= 750 && input <= 3_000, `${input} tokens for 3,000 bytes`);
  const withMedia = estimateForHold(size({ inputBytes: 3_000, mediaCount: 2 }), modelWith(undefined)).input;
  assert.ok(withMedia > input + 1_000);
  assert.ok(estimateForHold(size({ inputBytes: 1 }), modelWith(undefined)).input >= 1);
});

test('what is charged by size alone is never more than what was held for it (promise M-09)', () => {
  fc.assert(
    fc.property(fc.nat(50_000_000), fc.nat(20), (inputBytes, mediaCount) => {
      const request = size({ inputBytes, mediaCount });
      const fair = estimateInput(request);
      assert.ok(Number.isSafeInteger(fair));
      assert.ok(fair <= estimateForHold(request, modelWith(undefined)).input);
      assert.ok(inputBytes === 0 || fair > 0, 'a request with content is never free by accident');
    }),
    { numRuns: 2_000 },
  );
});

test('an answer without usage counts by its bytes, an empty one as nothing', () => {
  assert.equal(estimateOutput(0), 0);
  assert.equal(estimateOutput(1), 1);
  assert.equal(estimateOutput(4_000), 1_000);
});
