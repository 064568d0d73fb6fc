import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, formatMoney, formatMoneyShort } from './format-money.ts';

test('amounts keep every digit, gain separators and lose idle zeros', () => {
  const cases: [string, string][] = [
    ['0', '0.00'],
    ['12.5', '12.50'],
    ['1234567.000000001', '1,234,567.000000001'],
    ['-3.100000000', '\u22123.10'],
    ['999', '999.00'],
    ['9007199254740993.5', '9,007,199,254,740,993.50'],
    ['not a number', 'not a number'],
  ];
  for (const [amount, shown] of cases) assert.equal(formatMoney(amount), shown);
});

test('short amounts show the first digits of small sums and shorten large ones', () => {
  assert.equal(formatMoneyShort(0), '0.00');
  assert.equal(formatMoneyShort(12.345), '12.35');
  assert.equal(formatMoneyShort(0.000123), '0.00012');
  assert.equal(formatMoneyShort(1_250_000), '1.3M');
  assert.equal(formatCount(99_999), '99,999');
  assert.equal(formatCount(2_500_000), '2.5M');
});
