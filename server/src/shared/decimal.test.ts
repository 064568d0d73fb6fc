import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatDecimal, parseDecimal } from './decimal.ts';

test('decimal text is read to whole billionths', () => {
  assert.equal(parseDecimal('12.5'), 12_500_000_000n);
  assert.equal(parseDecimal('0'), 0n);
  assert.equal(parseDecimal('-0.000000001'), -1n);
  assert.equal(parseDecimal('999999999999.999999999'), 999_999_999_999_999_999_999n);
});

test('text that is not a plain decimal is refused', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '+1',
    '1.',
    '.5',
    '1e3',
    '0x10',
    '1,5',
    '1.0000000001',
    '1234567890123',
    '--1',
    'NaN',
    '1\n',
  ]) {
    assert.equal(parseDecimal(text), undefined, JSON.stringify(text));
  }
});

test('what is written is read back as the same number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (nano) => {
      assert.equal(parseDecimal(formatDecimal(nano)), nano);
    }),
  );
});
