import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Price } from '#contract/prices.ts';
import type { Program } from './channels/channel-types.ts';
import { findPrice } from './prices.ts';
import { readRatios } from './ratios.ts';

const LIST: Record<string, Price> = {
  'gpt-4o': { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' },
};

function price(model: string, options: Record<string, unknown>, program: Program = 'new-api') {
  const texts = Object.entries(options).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return findPrice(model, { ratios: readRatios(new Map(texts)), program, listed: (name) => LIST[name] });
}

test('a ratio of 1 is 2 per million tokens, and follows QuotaPerUnit (contract-2 11)', () => {
  assert.deepEqual(price('m', { ModelRatio: { m: 1 }, CompletionRatio: { m: 3 } }).price, {
    unit: 'tokens',
    input: '2',
    output: '6',
  });
  assert.deepEqual(price('m', { ModelRatio: { m: 1 }, QuotaPerUnit: '1000000' }).price, {
    unit: 'tokens',
    input: '1',
    output: '1',
  });
  assert.equal(
    price('m', { ModelRatio: { m: 0.075 }, CompletionRatio: { m: 4 } }).arithmetic,
    'input 0.075 x 2 = 0.15; output 0.15 x 4 = 0.6 per million',
  );
});

test('completion ratios that new-api has built in count where none is saved, and fixed ones even where one is', () => {
  const output = (model: string, saved: Record<string, number> = {}): string | undefined => {
    const found = price(model, { ModelRatio: { [model]: 1 }, CompletionRatio: saved }).price;
    return found?.unit === 'tokens' ? found.output : undefined;
  };
  for (const [model, expected] of [
    ['gpt-4o', '8'],
    ['gpt-4o-2024-05-13', '6'],
    ['gpt-5-mini', '16'],
    ['gpt-5.4-nano', '12.5'],
    ['gpt-5.5', '12'],
    ['gpt-3.5-turbo', '4'],
    ['o3-mini', '8'],
    ['claude-opus-4-1', '10'],
    ['gemini-2.5-pro', '16'],
    ['something', '2'],
  ] as const)
    assert.equal(output(model), expected, model);
  assert.equal(output('gpt-4o', { 'gpt-4o': 5 }), '10');
  assert.equal(output('o3-mini', { 'o3-mini': 5 }), '8');
});

test('a price by call, by picture, by expression, and none', () => {
  assert.deepEqual(price('song', { ModelPrice: { song: 0.1 }, ModelRatio: { song: 1 } }).price, {
    unit: 'request',
    amount: '0.1',
  });
  assert.deepEqual(price('dall-e-3', { ModelPrice: { 'dall-e-3': 0.04 } }).price, { unit: 'image', amount: '0.04' });
  assert.equal(
    price('gpt-4o', { ModelRatio: {}, 'billing_setting.billing_mode': { 'gpt-4o': 'tiered_expr' } }).price,
    LIST['gpt-4o'],
  );
  assert.equal(price('gpt-4o', {}).price, LIST['gpt-4o'], 'never saved: built into the program');
  assert.equal(price('gpt-4o', { ModelRatio: {} }).price, null, 'saved without it: not for sale there either');
  assert.equal(price('gpt-4o', { ModelRatio: {} }, 'one-api').price, LIST['gpt-4o'], 'one-api adds what is missing');
  assert.equal(price('m', { ModelRatio: { m: 1e12 } }).price, null);
});

test('cache ratios that were never saved are those of the public list; Claude writes at 1.25', () => {
  assert.deepEqual(price('gpt-4o', { ModelRatio: { 'gpt-4o': 1.25 } }).price, {
    unit: 'tokens',
    input: '2.5',
    output: '10',
    cached_input: '1.25',
  });
  const claude = price('claude-x', { ModelRatio: { 'claude-x': 1 }, CacheRatio: {}, CreateCacheRatio: {} }).price;
  assert.deepEqual(claude, { unit: 'tokens', input: '2', output: '2', cache_write: '2.5' });
  assert.deepEqual(price('gpt-4o', { ModelRatio: { 'gpt-4o': 1.25 } }, 'one-api').price, {
    unit: 'tokens',
    input: '2.5',
    output: '10',
  });
});
