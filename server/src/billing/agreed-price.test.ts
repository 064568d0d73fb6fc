import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrice } from '../catalogue/prices.ts';
import { groupAt, groupInForce, readAgreed, writeAgreed } from './agreed-price.ts';

const price = readPrice('{"unit":"second","amount":"0.1","factors":{"1080P":"1.5"}}');
assert.ok(price !== undefined);

test('a price comes back from its hold as it was agreed, to the last digit (promise M-01)', () => {
  const agreed = readAgreed(writeAgreed(price, groupAt('resellers', '0.850000001')));
  assert.deepEqual(agreed, { price, multiplier: '0.850000001', maxOutputTokens: undefined });
  assert.equal(groupAt('resellers', agreed.multiplier).multiplierNano, 850_000_001n);
});

test('what a line of a batch may answer at most comes back with its price (contract-2 8)', () => {
  for (const limit of [4_096, null])
    assert.equal(readAgreed(writeAgreed(price, groupAt('default', '1'), limit)).maxOutputTokens, limit);
});

test('a group that no operator has made multiplies by 1', () => {
  const double = groupAt('double', '2');
  const groups = new Map([['double', double]]);
  assert.equal(groupInForce({ groups }, 'double'), double);
  assert.equal(groupInForce({ groups }, 'default').multiplierNano, 1_000_000_000n);
});
