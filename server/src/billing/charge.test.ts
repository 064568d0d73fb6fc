import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Group } from '../catalogue/catalogue.ts';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { parseDecimal } from '../shared/decimal.ts';
import { type Charge, charge as chargeFor, type Counted } from './charge.ts';
import { formatAmount } from './money.ts';

function priceOf(fields: Record<string, unknown>): Price {
  const price = readPrice(JSON.stringify(fields));
  assert.ok(price !== undefined, 'a price that can be read');
  return price;
}

function groupOf(multiplier: string): Group {
  return {
    name: multiplier === '1' ? 'default' : 'partners',
    multiplier,
    multiplierNano: parseDecimal(multiplier) ?? 0n,
    models: undefined,
  };
}

const NOTHING: Counted = { input: 0, output: 0, images: 0, characters: 0, audioMs: 0, searches: 0 };
const charge = (fields: Record<string, unknown>, counted: Partial<Counted>, multiplier = '1'): Charge =>
  chargeFor(priceOf(fields), groupOf(multiplier), { ...NOTHING, ...counted });
const amountOf = (...[fields, tokens, multiplier]: Parameters<typeof charge>): string =>
  formatAmount(charge(fields, tokens, multiplier).amount);

const plain = { unit: 'tokens', input: '2.5', output: '10' };
const every = {
  ...plain,
  cached_input: '1.25',
  cache_write: '3',
  audio_input: '40',
  audio_output: '80',
  image_input: '5',
  image_output: '20',
};
const MILLION = 1_000_000;

test('tokens: each part at its own price, per million (contract 6)', () => {
  const golden: [tokens: Partial<Counted>, amount: string][] = [
    [{ input: 0, output: 0 }, '0'],
    [{ input: MILLION, output: 0 }, '2.5'],
    [{ input: 0, output: MILLION }, '10'],
    [{ input: 1, output: 1 }, '0.0000125'],
    [{ input: MILLION, output: 0, cachedInput: MILLION }, '1.25'],
    [{ input: MILLION, output: 0, cacheWrite: MILLION }, '3'],
    [{ input: MILLION, output: 0, audioInput: MILLION }, '40'],
    [{ input: MILLION, output: 0, imageInput: MILLION }, '5'],
    [{ input: 0, output: MILLION, audioOutput: MILLION }, '80'],
    [{ input: 0, output: MILLION, imageOutput: MILLION }, '20'],
    [{ input: MILLION, output: 0, cachedInput: 400_000 }, '2'],
    [{ input: 1_000, output: 500, cachedInput: 200, audioInput: 100, audioOutput: 50 }, '0.0145'],
  ];
  for (const [tokens, amount] of golden) assert.equal(amountOf(every, tokens), amount, JSON.stringify(tokens));
});

test('a part without a price of its own is charged as plain input or output', () => {
  const details = {
    cachedInput: 300,
    cacheWrite: 100,
    audioInput: 50,
    imageInput: 50,
    audioOutput: 70,
    imageOutput: 30,
  };
  assert.equal(
    amountOf(plain, { input: 1_000, output: 100, ...details }),
    amountOf(plain, { input: 1_000, output: 100 }),
  );
});

test('a part with the price 0 is free, which is not the same as no price', () => {
  const free = { ...plain, cached_input: '0' };
  assert.equal(amountOf(free, { input: MILLION, output: 0, cachedInput: MILLION }), '0');
});

test('details that exceed their whole never charge more tokens than there are', () => {
  assert.equal(amountOf(every, { input: 10, output: 0, cachedInput: 8, audioInput: 8 }), '0.00009'); // 8 cached, 2 audio
  assert.equal(amountOf(every, { input: 0, output: 0, cachedInput: 5, audioOutput: 5 }), '0');
});

test('the multiplier of the group applies to the sum', () => {
  const tokens = { input: 1_000, output: 1_000 };
  assert.equal(amountOf(plain, tokens, '2'), '0.025');
  assert.equal(amountOf(plain, tokens, '0.8'), '0.01');
  assert.equal(amountOf(plain, tokens, '0'), '0');
  assert.equal(amountOf({ unit: 'request', amount: '0.01' }, tokens, '1.5'), '0.015');
});

test('everything is summed exactly and rounded once, halves up', () => {
  // 0.0004 nano-units a token: two parts of 0.8 are 1.6, which is 2; rounded each alone they would be 1 + 1 or less.
  const tiny = { unit: 'tokens', input: '0.000000400', output: '0.000000400' };
  const golden: [input: number, output: number, multiplier: string, nano: bigint][] = [
    [1_000, 0, '1', 0n],
    [1_249, 0, '1', 0n],
    [1_250, 0, '1', 1n],
    [1_000, 1_000, '1', 1n],
    [2_000, 2_000, '1', 2n],
    [600, 650, '1', 1n],
    [625, 0, '2', 1n],
    [624, 0, '2', 0n],
    [1_250, 0, '0.999999999', 0n],
  ];
  for (const [input, output, multiplier, nano] of golden)
    assert.equal(charge(tiny, { input, output }, multiplier).amount, nano, `${input} + ${output} x ${multiplier}`);
  assert.equal(charge({ unit: 'request', amount: '0.000000001' }, { input: 0, output: 0 }, '0.5').amount, 1n);
  assert.equal(charge({ unit: 'request', amount: '0.000000001' }, { input: 0, output: 0 }, '0.499999999').amount, 0n);
});

test('counts and prices of any size stay exact', () => {
  assert.equal(amountOf(plain, { input: 1_000_000_000_000, output: 1 }), '2500000.00001');
  assert.equal(
    amountOf({ unit: 'tokens', input: '999999999999', output: '0' }, { input: 3, output: 0 }),
    '2999999.999997',
  );
});

test('request: the amount, whatever was used (contract 6)', () => {
  const flat = { unit: 'request', amount: '0.01' };
  assert.equal(amountOf(flat, { input: 0, output: 0 }), '0.01');
  assert.equal(amountOf(flat, { input: 500_000, output: 500_000 }), '0.01');
});

test('each unit is charged by what it counts, rounded once (contract 6)', () => {
  const image = { unit: 'image', amount: '0.04', by: { '1024x1024': '0.05', '1024x1024/hd': '0.08' } };
  const table: [Record<string, unknown>, Partial<Counted>, string, string][] = [
    [image, { images: 3 }, '0.12', '3 images x 0.04'],
    [image, { images: 2, imageSize: '1024x1024' }, '0.1', '2 images of 1024x1024 x 0.05'],
    [image, { images: 2, imageSize: '1024x1024', imageQuality: 'hd' }, '0.16', '2 images of 1024x1024/hd x 0.08'],
    [image, { images: 2, imageSize: '1024x1024', imageQuality: 'HD' }, '0.16', '2 images of 1024x1024/HD x 0.08'],
    [{ ...image, by: { '4K': '0.3' } }, { images: 1, imageSize: '4k' }, '0.3', '1 images of 4k x 0.3'],
    [image, { images: 1, imageSize: '512x512', imageQuality: 'hd' }, '0.04', '1 images of 512x512/hd x 0.04'],
    [{ unit: 'characters', amount: '15' }, { characters: 1234 }, '0.01851', '1234 characters x 15 / 1000000'],
    [{ unit: 'audio_second', amount: '0.0001' }, { audioMs: 12_345 }, '0.0012345', '12.345 seconds x 0.0001'],
    [{ unit: 'search', amount: '0.002' }, { searches: 1 }, '0.002', '1 searches x 0.002'],
    [{ unit: 'request', amount: '0.01' }, {}, '0.01', '0.01 per request'],
  ];
  for (const [price, counted, amount, arithmetic] of table) {
    const due = charge(price, counted);
    assert.deepEqual([formatAmount(due.amount), due.arithmetic], [amount, arithmetic]);
  }
  assert.equal(formatAmount(charge(image, { images: 3 }, '1.5').amount), '0.18');
});

test('the arithmetic is written in words that lead to the amount', () => {
  assert.equal(
    charge(every, { input: 1_000, output: 500, cachedInput: 200 }, '1.5').arithmetic,
    '(800 input x 2.5 + 200 cached_input x 1.25 + 500 output x 10) / 1000000 x 1.5 (group partners)',
  );
  assert.equal(charge(plain, { input: 7, output: 0 }).arithmetic, '(7 input x 2.5 + 0 output x 10) / 1000000');
  assert.equal(charge({ unit: 'request', amount: '0.01' }, { input: 1, output: 1 }).arithmetic, '0.01 per request');
});

test('more use never costs less, and every token is charged exactly once', () => {
  const count = fc.nat(10_000_000);
  fc.assert(
    fc.property(count, count, count, count, (input, output, cachedInput, more) => {
      const once = charge(every, { input, output, cachedInput }).amount;
      assert.ok(once >= 0n);
      assert.ok(charge(every, { input: input + more, output, cachedInput }).amount >= once);
      const cached = BigInt(Math.min(cachedInput, input));
      assert.equal(once, (BigInt(input) - cached) * 2_500n + cached * 1_250n + BigInt(output) * 10_000n);
    }),
    { numRuns: 2_000 },
  );
});
