import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrice } from '../catalogue/prices.ts';
import { readMessages } from '../protocols/anthropic-messages/index.ts';
import { writtenText } from '../testing/written-text.ts';
import { dropUnpriced } from './drop-unpriced.ts';

const body = '"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]';

function dropped(fields: string, tiers: Record<string, string>, passUnpriced?: boolean): unknown[] {
  const price = readPrice(JSON.stringify({ unit: 'tokens', input: '1', output: '1', tiers }));
  const request = dropUnpriced(readMessages(Buffer.from(`{${body},${fields}}`)), { price, passUnpriced });
  const sent = JSON.parse(writtenText(request.write({ upstreamModel: 'm', dropFields: [] }))) as Record<
    string,
    unknown
  >;
  const { serviceTier } = request.readGeneration?.().settings ?? {};
  return [
    request.dropped ?? [],
    request.serviceTiers?.map(({ name }) => name),
    sent['speed'],
    sent['service_tier'],
    serviceTier,
  ];
}

test('of two fields that ask for a tier each is judged by its own price (contract-2 9)', () => {
  const both = '"speed":"fast","service_tier":"priority"';
  assert.deepEqual(dropped(both, {}), [['speed', 'service_tier'], undefined, undefined, undefined, undefined]);
  assert.deepEqual(dropped(both, { fast: '2' }), [['service_tier'], ['fast'], 'fast', undefined, undefined]);
  assert.deepEqual(dropped(both, { priority: '2' }), [['speed'], ['priority'], undefined, 'priority', 'priority']);
  const passed = [[], ['fast', 'priority'], 'fast', 'priority', 'priority'];
  assert.deepEqual(dropped(both, { fast: '2', priority: '2' }), passed);
  assert.deepEqual(dropped(both, {}, true), passed);
});

test('the plain speed hides no tier, and asks for none (contract-2 9)', () => {
  const [named, asked] = dropped('"speed":"standard","service_tier":"priority"', {});
  assert.deepEqual([named, asked], [['service_tier'], undefined]);
  assert.deepEqual(dropped('"speed":"standard"', {}).slice(0, 3), [[], undefined, 'standard']);
});
