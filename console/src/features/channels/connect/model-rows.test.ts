import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamModel } from '#contract/channels.ts';
import type { Price } from '#contract/prices.ts';
import { bestToTest, doubled, isWrong, pairsOfRows, priceOf, pricesOf, rowOfName, rowsOf } from './model-rows.ts';
import { factorOf } from './scale-price.ts';
import { blanksIn, findVendors, freeName, vendorsOf } from './vendors.ts';

const tokens = (input: string, output = '2'): Price => ({ unit: 'tokens', input, output });
const UNITS = ['tokens', 'request'];
const HALF = factorOf('50') ?? 0n;

function model(id: string, more: Partial<UpstreamModel> = {}): UpstreamModel {
  return { id, carried_as: null, list_price: null, price: null, retires_at: null, ...more };
}

test('models with a known price are ticked and come first; the others wait for one (contract-2 9)', () => {
  const rows = rowsOf(
    [
      model('unknown'),
      model('listed', { list_price: tokens('1') }),
      model('sold', { price: tokens('9') }),
      model('film', { list_price: { unit: 'second', amount: '1' } }),
    ],
    UNITS,
  );
  assert.deepEqual(
    rows.map(({ upstream, ticked }) => [upstream, ticked]),
    [
      ['listed', true],
      ['sold', true],
      ['unknown', false],
      ['film', false],
    ],
  );
  assert.deepEqual(pairsOfRows(rows), [
    { key: 'listed', value: 'listed' },
    { key: 'sold', value: 'sold' },
  ]);
  assert.deepEqual(pricesOf(rows, HALF, UNITS), { listed: tokens('1.5', '3') }, 'what is sold keeps its price');
});

test('hundreds of models are not ticked by themselves', () => {
  const many = Array.from({ length: 300 }, (_, index) => model(`m${index}`, { list_price: tokens('1') }));
  assert.ok(rowsOf(many, UNITS).every(({ ticked }) => !ticked));
});

test('a price is typed where none is known, in the unit of the kind', () => {
  const row = { ...rowOfName('x'), typed: { input: '1.5', output: '' } };
  assert.deepEqual(priceOf(row, HALF, UNITS), { unit: 'tokens', input: '1.5', output: '0' }, 'without the markup');
  assert.deepEqual(priceOf(row, HALF, ['second', 'reported']), { unit: 'second', amount: '1.5' });
  assert.deepEqual([isWrong(row, UNITS), isWrong({ ...row, typed: { input: 'x', output: '' } }, UNITS)], [false, true]);
  assert.equal(priceOf(rowOfName('x'), HALF, UNITS), null);
});

test('two models of one public name are named, and the cheapest that talks is tested', () => {
  const rows = rowsOf(
    [
      model('dear', { list_price: tokens('5', '20') }),
      model('cheap', { list_price: tokens('1', '1') }),
      model('vectors', { list_price: tokens('0.1', '0') }),
    ],
    UNITS,
  );
  assert.equal(bestToTest(rows), 'cheap');
  assert.deepEqual(doubled(rows.map((row) => ({ ...row, name: row.upstream === 'dear' ? 'cheap' : row.upstream }))), [
    'cheap',
  ]);
});

test('a vendor is found by parts of its name, kind or address; its channel gets a free name', () => {
  const provider = {
    name: 'openai',
    label: 'Compatible',
    presets: [
      { vendor: 'xAI', base_url: 'https://api.x.ai/v1', speaks: null, drop_fields: [], note: null },
      { vendor: 'AI21', base_url: 'https://api.ai21.com', speaks: null, drop_fields: [], note: null },
    ],
  } as unknown as Parameters<typeof vendorsOf>[0][number];
  const vendors = vendorsOf([provider]);
  assert.deepEqual(
    findVendors(vendors, 'ai').map(({ name }) => name),
    ['AI21', 'xAI', 'Another address'],
  );
  assert.deepEqual(
    findVendors(vendors, 'api.x compat').map(({ name }) => name),
    ['xAI'],
  );
  assert.equal(freeName('Qwen, China', ['qwen-china', 'qwen-china-2']), 'qwen-china-3');
  assert.deepEqual(blanksIn('https://WORKSPACE.example.com/ACCOUNT_ID/ai/v1'), ['WORKSPACE', 'ACCOUNT_ID']);
  assert.deepEqual(blanksIn('https://api.example.com/v1'), []);
});
