import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeReleased, COUNTED_FROM, retain, allocateCounted } from './counted-bytes.ts';

const make = (): Buffer => allocateCounted(COUNTED_FROM).fill('x');

test('what was retained and released is freed, and parts of it are empty', () => {
  const bytes = make();
  const part = bytes.subarray(10, 20);
  retain([part, bytes])();
  freeReleased(bytes);
  assert.deepEqual([bytes.length, part.length], [0, 0]);
});

test('what is still retained is not freed, whatever else was released', () => {
  const bytes = make();
  retain([bytes.subarray(0, 5)]);
  const release = retain([bytes]);
  release();
  release();
  freeReleased(bytes);
  assert.equal(bytes.length, COUNTED_FROM);
  assert.equal(bytes[0], 0x78);
});

test('what was never retained is left to the collector, and so are other buffers', () => {
  const bytes = make();
  freeReleased(bytes);
  assert.equal(bytes.length, COUNTED_FROM);
  const foreign = Buffer.alloc(COUNTED_FROM);
  retain([foreign])();
  freeReleased(foreign);
  assert.equal(foreign.length, COUNTED_FROM);
});
