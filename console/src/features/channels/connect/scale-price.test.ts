import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price as schema } from '#contract/prices.ts';
import { factorOf, marginOf, scalePrice } from './scale-price.ts';

const tokens: Price = {
  unit: 'tokens',
  input: '0.1',
  output: '3',
  cached_input: '0.000000001',
  above: [{ input_tokens: 200_000, input: '0.2', output: '6' }],
  tiers: { priority: '2' },
  tools: { web_search: '0.01' },
  batch: '0.5',
};

test('a markup multiplies every amount exactly, and no factor or threshold (contract 6)', () => {
  assert.deepEqual(scalePrice(tokens, factorOf('50') ?? 0n), {
    unit: 'tokens',
    input: '0.15',
    output: '4.5',
    cached_input: '0.000000002',
    above: [{ input_tokens: 200_000, input: '0.3', output: '9' }],
    tiers: { priority: '2' },
    tools: { web_search: '0.015' },
    batch: '0.5',
  });
  const second: Price = {
    unit: 'second',
    amount: '0.1',
    resolution: { '1080P': '1.78' },
    factors: { 'mode:pro': '2' },
  };
  assert.deepEqual(scalePrice(second, factorOf('20') ?? 0n), { ...second, amount: '0.12' });
  assert.equal(scalePrice(tokens, factorOf('') ?? 0n), tokens);
  schema.parse(scalePrice(tokens, factorOf('33.3') ?? 0n));
  assert.deepEqual([factorOf('x'), factorOf('-5'), factorOf('99999999')], [undefined, undefined, undefined]);
});

test('the margin is the share of the price that is left after the list price', () => {
  assert.equal(marginOf(tokens, scalePrice(tokens, factorOf('25') ?? 0n)), 0.2);
  assert.equal(marginOf(tokens, tokens), 0);
  assert.equal(marginOf({ unit: 'request', amount: '2' }, { unit: 'request', amount: '1' }), -1);
  assert.deepEqual(
    [marginOf(null, tokens), marginOf(tokens, { unit: 'request', amount: '1' }), marginOf(tokens, null)],
    [undefined, undefined, undefined],
  );
});
