import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../access/principal.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readPrice } from '../catalogue/prices.ts';
import { refuseWithoutMoney } from './large-body-money.ts';

const payer = { tokenId: 'tok_1', mode: 'live' } as Principal;

function catalogueOf(prices: readonly string[], multiplierNano = 1n): { current: Catalogue } {
  const models = new Map(prices.map((text, index) => [`model-${index}`, { price: readPrice(text) }]));
  return { current: { models, groups: new Map([['default', { multiplierNano }]]) } as unknown as Catalogue };
}

const PAID = '{"unit":"tokens","input":"2.5","output":"10"}';
const FREE = '{"unit":"tokens","input":"0","output":"0.000"}';
const refusal = (catalogue: { current: Catalogue }, free: () => Promise<bigint>): Promise<string> =>
  refuseWithoutMoney({ catalogue, ledger: { free } }, payer).then(
    () => 'none',
    (error: { code: string }) => error.code,
  );

test('a large body is read only for a token with something left (promise B-11)', async () => {
  const paid = catalogueOf([PAID]);
  assert.equal(await refusal(paid, async () => 1n), 'none');
  assert.equal(await refusal(paid, async () => 0n), 'insufficient_quota');
  assert.equal(await refusal(paid, async () => -5n), 'insufficient_quota');
});

test('a model is free by its amounts, whatever digits its price has beside them (contract 6)', async () => {
  for (const price of [
    { unit: 'image', amount: '0', by: { '1024x1024': '0' } },
    { unit: 'image', amount: '0.1', by: { '512x512': '0' } },
    { unit: 'tokens', input: '0', output: '0', above: [{ input_tokens: 1000, input: '0', output: '0' }] },
    { unit: 'tokens', input: '0', output: '0', tiers: { priority: '2' } },
    { unit: 'second', amount: '0', resolution: { '720P': '1' } },
    { unit: 'request', amount: '0' },
    { unit: 'reported', amount: '0', hold: '0' },
  ])
    assert.equal(
      await refusal(catalogueOf([PAID, JSON.stringify(price)]), async () => 0n),
      'none',
      JSON.stringify(price),
    );
  for (const price of [
    { unit: 'image', amount: '0.1', by: { '1024x1024': '0.2' } },
    { unit: 'tokens', input: '0', output: '1' },
    { unit: 'reported', amount: '0', hold: '1' },
  ])
    assert.equal(await refusal(catalogueOf([JSON.stringify(price)]), async () => 0n), 'insufficient_quota');
});

test('where something costs nothing, the hold decides as always; so it does while the store is away', async () => {
  assert.equal(await refusal(catalogueOf([PAID, FREE]), async () => 0n), 'none');
  assert.equal(await refusal(catalogueOf([PAID], 0n), async () => 0n), 'none');
  assert.equal(await refusal(catalogueOf([PAID]), () => Promise.reject(new Error('away'))), 'none');
});
