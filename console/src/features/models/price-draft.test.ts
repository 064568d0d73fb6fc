import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price } from '#contract/prices.ts';
import { bodyOfPrice, draftOfPrice, workExample } from './price-draft.ts';

const prices: Price[] = [
  { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' },
  { unit: 'request', amount: '0.01' },
  { unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08' } },
  { unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } },
  { unit: 'video_tokens', generate: '7', video_input: '4.3' },
  { unit: 'characters', amount: '15' },
  { unit: 'audio_second', amount: '0.0001' },
  { unit: 'search', amount: '0.002' },
];

test('every kind of price comes back from the form as it went in (contract 6)', () => {
  for (const one of prices) assert.deepEqual(price.parse(bodyOfPrice(draftOfPrice(one))), one);
});

test('the worked example is exact, and splits cached input off', () => {
  const [tokens] = prices;
  const example = workExample(draftOfPrice(tokens ?? null), { input: 1200, cached_input: 200, output: 350 });
  assert.deepEqual(example, {
    amount: '0.00625',
    arithmetic: '(1000 input x 2.5 + 200 cached_input x 1.25 + 350 output x 10) / 1000000',
  });
  assert.equal(workExample(draftOfPrice({ unit: 'characters', amount: '0.000001' }), { characters: 1 })?.amount, '0');
  assert.equal(workExample(draftOfPrice({ unit: 'request', amount: '0.1' }), { requests: 3 }, '0.5')?.amount, '0.15');
});

test('an unfinished price has no example', () => {
  assert.equal(workExample(draftOfPrice(null), { input: 1 }), undefined);
  assert.equal(workExample({ unit: 'request', fields: { amount: '-1' }, table: [] }, { requests: 1 }), undefined);
});
