import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceSteps } from './price-steps.ts';

const words = (...prices: Parameters<typeof priceSteps>) =>
  priceSteps(...prices).map(({ field, from, to, share }) => `${field} ${from} > ${to} ${share ?? ''}`.trim());

test('an import shows each amount that changes, and by how much (issue 34 point 1)', () => {
  assert.deepEqual(
    words(
      { unit: 'tokens', input: '2.5', output: '10' },
      { unit: 'tokens', input: '3', output: '10.0', cached_input: '1' },
    ),
    ['input 2.50 > 3.00 +20 %', 'cached input none > 1.00'],
  );
  assert.deepEqual(words({ unit: 'request', amount: '2' }, { unit: 'image', amount: '1' }), [
    'unit request > image',
    'amount 2.00 > 1.00 \u221250 %',
  ]);
  const above = (input: string) => [{ input_tokens: 200_000, input, output: '6' }];
  assert.deepEqual(
    words(
      { unit: 'tokens', input: '1', output: '3', above: above('2') },
      { unit: 'tokens', input: '1', output: '3', above: above('2.05') },
    ),
    ['above 200000 input 2.00 > 2.05 +2.5 %'],
  );
});
