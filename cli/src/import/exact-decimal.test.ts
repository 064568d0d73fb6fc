import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exact, shown, times, toNano } from './exact-decimal.ts';

const read = (value: unknown) => exact(value) ?? assert.fail(`${String(value)} is no number`);

test('numbers are read as they are written, exponents too, and nothing else is one', () => {
  for (const [value, text] of [
    [0.1, '0.1'],
    ['1.5e-05', '0.000015'],
    [3e-7, '0.0000003'],
    ['2E3', '2000'],
    ['-0.50', '-0.5'],
    ['.5', '0.5'],
    ['500000.000000', '500000'],
    [0, '0'],
  ] as const)
    assert.equal(shown(read(value)), text);
  for (const value of ['', 'one', '1.2.3', null, {}, '.', '1e9999', Number.NaN]) assert.equal(exact(value), undefined);
});

test('products become nano-units with one rounding, halves away from zero', () => {
  assert.equal(toNano(times(read('0.1'), read('0.2'))), 20_000_000n);
  assert.equal(toNano(read(9_999_999), read(500_000)), 19_999_998_000n);
  assert.equal(toNano(read('0.0000000005')), 1n);
  assert.equal(toNano(read('-0.0000000005')), -1n);
  assert.equal(toNano(read(1), read(3)), 333_333_333n);
});
