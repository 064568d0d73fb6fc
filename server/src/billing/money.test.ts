import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { divideRounded, formatAmount, NANO, parseAmount } from './money.ts';

test('decimal text and whole nano-units, both ways (contract 6: up to 9 decimals)', () => {
  const golden: [text: string, nano: bigint][] = [
    ['0', 0n],
    ['1', 1_000_000_000n],
    ['0.000000001', 1n],
    ['12.5', 12_500_000_000n],
    ['-3.25', -3_250_000_000n],
    ['0.1', 100_000_000n],
    ['999999999999.999999999', 999_999_999_999_999_999_999n],
  ];
  for (const [text, nano] of golden) {
    assert.equal(parseAmount(text), nano, text);
    assert.equal(formatAmount(nano), text);
  }
});

test('zeros at the end say nothing and are left out', () => {
  assert.equal(parseAmount('1.500000000'), 1_500_000_000n);
  assert.equal(formatAmount(1_500_000_000n), '1.5');
  assert.equal(formatAmount(-1n), '-0.000000001');
});

test('what is no decimal of up to 9 places is not read as one', () => {
  for (const text of ['', '.', '1.', '.5', '+1', '1e3', '1,5', ' 1', '1 ', '0x1', 'NaN', '--1', '1.0000000001', '١'])
    assert.equal(parseAmount(text), undefined, JSON.stringify(text));
});

test('every amount survives being written and read again', () => {
  const limit = 10n ** 21n - 1n;
  fc.assert(
    fc.property(fc.bigInt({ min: -limit, max: limit }), (nano) => {
      assert.equal(parseAmount(formatAmount(nano)), nano);
    }),
    { numRuns: 2_000 },
  );
});

test('rounding: to the nearest whole unit, halves up', () => {
  const golden: [numerator: bigint, denominator: bigint, rounded: bigint][] = [
    [0n, 3n, 0n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [499_999n, 1_000_000n, 0n],
    [500_000n, 1_000_000n, 1n],
    [1_499_999n, 1_000_000n, 1n],
    [1_500_000n, 1_000_000n, 2n],
    [7n, 7n, 1n],
    [10n ** 30n + 1n, 2n, 5n * 10n ** 29n + 1n],
  ];
  for (const [numerator, denominator, rounded] of golden)
    assert.equal(divideRounded(numerator, denominator), rounded, `${numerator} / ${denominator}`);
});

test('rounding is never further off than half a unit', () => {
  const whole = fc.bigInt({ min: 0n, max: 10n ** 24n });
  fc.assert(
    fc.property(whole, fc.bigInt({ min: 1n, max: 10n ** 15n }), (numerator, denominator) => {
      const off = 2n * (divideRounded(numerator, denominator) * denominator - numerator);
      assert.ok(off <= denominator && off > -denominator);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(NANO, 10n ** 9n);
});
