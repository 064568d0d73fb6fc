import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price } from '#contract/prices.ts';
import { bodyOfPrice, draftOfPrice } from './price-draft.ts';

const prices: Price[] = [
  { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' },
  {
    unit: 'tokens',
    input: '2.5',
    output: '10',
    above: [{ input_tokens: 200_000, input: '5', output: '15', cached_input: '0.5' }],
    tiers: { priority: '2', flex: '0.5' },
    tools: { web_search: '0.01' },
    batch: '0.5',
  },
  { unit: 'request', amount: '0.01' },
  { unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08' } },
  { unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } },
  { unit: 'second', amount: '0.14', factors: { 'mode:pro': '1.5' } },
  { unit: 'reported', amount: '0.01', hold: '0.5' },
  { unit: 'video_tokens', generate: '7', video_input: '4.3' },
  { unit: 'characters', amount: '15' },
  { unit: 'audio_second', amount: '0.0001' },
  { unit: 'search', amount: '0.002' },
];

test('every kind of price comes back from the form as it went in (contract 6, contract-2 9)', () => {
  for (const one of prices) assert.deepEqual(price.parse(bodyOfPrice(draftOfPrice(one))), one);
});
