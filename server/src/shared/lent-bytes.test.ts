import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeReturned, LENT_FROM, lend, makeLendable } from './lent-bytes.ts';

const make = (): Buffer => makeLendable(LENT_FROM).fill('x');

test('what was lent and came back is freed: whoever holds a part of it holds nothing', () => {
  const bytes = make();
  const part = bytes.subarray(10, 20);
  lend([part, bytes])();
  freeReturned(bytes);
  assert.deepEqual([bytes.length, part.length], [0, 0]);
});

test('what is still lent is not freed, however often another loan came back', () => {
  const bytes = make();
  lend([bytes.subarray(0, 5)]);
  const giveBack = lend([bytes]);
  giveBack();
  giveBack();
  freeReturned(bytes);
  assert.equal(bytes.length, LENT_FROM);
  assert.equal(bytes[0], 0x78);
});

test('what was never lent is left to the collector, and so is what others made', () => {
  const bytes = make();
  freeReturned(bytes);
  assert.equal(bytes.length, LENT_FROM);
  const foreign = Buffer.alloc(LENT_FROM);
  lend([foreign])();
  freeReturned(foreign);
  assert.equal(foreign.length, LENT_FROM);
});
