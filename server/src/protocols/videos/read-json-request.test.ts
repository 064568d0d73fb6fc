import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { readGeneration } from '../video-generations/read-request.ts';
import { readVideoJson } from './read-json-request.ts';

const json = (fields: unknown): Buffer => Buffer.from(JSON.stringify(fields));
const plain = { model: 'm', prompt: 'a boat' };
const read = (fields: Record<string, unknown> = {}) => readVideoJson(json({ ...plain, ...fields }));

test('JSON is read as by the other path: everything of spec 2.1 (contract 5)', () => {
  const body = json({ ...plain, images: ['x'], image: 'y', seconds: 4, duration: '5', size: 's', metadata: '{"a":1}' });
  assert.deepEqual(readVideoJson(body), { ...readGeneration(body), sizeBinds: true }); // contract-2 7
  assertRefused(() => read({ prompt: ' ' }), 'prompt is required', 'prompt');
  assertRefused(() => read({ model: undefined }), "'model' is required.", 'model');
});

test('the reference is an address, or an object with one (contract 5)', () => {
  const url = 'https://m.test/1.png';
  assert.equal(read({ input_reference: url }).inputReference, url);
  assert.equal(read({ input_reference: { image_url: url } }).inputReference, url);
  for (const none of [undefined, null, '']) assert.equal(read({ input_reference: none }).inputReference, undefined);
});

test('a reference of another shape is refused', () => {
  for (const input_reference of [
    {},
    { file_id: 'file-1' },
    { image_url: '' },
    { image_url: { url: 'x' } },
    [],
    7,
    true,
  ])
    assertFieldRefused(() => read({ input_reference }), { param: 'input_reference', message: /must be a/ });
});
