import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Group } from '../catalogue/catalogue.ts';
import { type Price, readPrice } from '../catalogue/prices.ts';
import type { VideoUsage } from '../neutral/video.ts';
import { parseDecimal } from '../shared/decimal.ts';
import { formatAmount } from './money.ts';
import { chargeVideo, holdVideo } from './video-charge.ts';

function priceOf(fields: Record<string, unknown>): Price {
  const price = readPrice(JSON.stringify(fields));
  assert.ok(price !== undefined, 'a price that can be read');
  return price;
}

function groupOf(multiplier: string): Group {
  const name = multiplier === '1' ? 'default' : 'partners';
  return { name, multiplier, multiplierNano: parseDecimal(multiplier) ?? 0n, models: undefined };
}

const second = priceOf({ unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } });
const tokens = priceOf({ unit: 'video_tokens', generate: '7', video_input: '4.3' });
const time = (milliseconds: number, resolution: string): VideoUsage => ({ by: 'time', milliseconds, resolution });
const counted = (count: number, tier: 'generate' | 'video_input'): VideoUsage => ({
  by: 'tokens',
  tokens: count,
  tier,
});

test('seconds x amount x coefficient of the resolution x multiplier of the group (spec 2.6, contract 6, promise M-15)', () => {
  const golden: [usage: VideoUsage, multiplier: string, amount: string, arithmetic: string][] = [
    [time(5_000, '720P'), '1', '0.7', '5 seconds x 0.14 x 1 (720P)'],
    [time(5_000, '1080P'), '1', '1.246', '5 seconds x 0.14 x 1.78 (1080P)'],
    [time(5_000, '720P'), '1.5', '1.05', '5 seconds x 0.14 x 1 (720P) x 1.5 (group partners)'],
    [time(5_000, '1080P'), '0.8', '0.9968', '5 seconds x 0.14 x 1.78 (1080P) x 0.8 (group partners)'],
    [time(5_000, '1080P'), '0', '0', '5 seconds x 0.14 x 1.78 (1080P) x 0 (group partners)'],
    [time(3_000, '1080P'), '1', '0.7476', '3 seconds x 0.14 x 1.78 (1080P)'],
    [time(15_000, '1080P'), '1', '3.738', '15 seconds x 0.14 x 1.78 (1080P)'],
    [time(6_620, '720P'), '1', '0.9268', '6.62 seconds x 0.14 x 1 (720P)'],
    [time(10_000, '1080p'), '1', '2.492', '10 seconds x 0.14 x 1.78 (1080p)'],
    [time(0, '1080P'), '1', '0', '0 seconds x 0.14 x 1.78 (1080P)'],
  ];
  for (const [usage, multiplier, amount, arithmetic] of golden) {
    const due = chargeVideo(second, groupOf(multiplier), usage);
    assert.deepEqual([formatAmount(due.amount), due.arithmetic], [amount, arithmetic]);
  }
});

test('a resolution that the price does not name has the coefficient 1', () => {
  const due = chargeVideo(second, groupOf('1'), time(5_000, '480P'));
  assert.deepEqual([formatAmount(due.amount), due.arithmetic], ['0.7', '5 seconds x 0.14 x 1 (480P)']);
  const bare = priceOf({ unit: 'second', amount: '0.14' });
  assert.equal(formatAmount(chargeVideo(bare, groupOf('1'), time(5_000, '1080P')).amount), '0.7');
});

test('the operator may write resolutions in small letters', () => {
  const small = priceOf({ unit: 'second', amount: '0.1', resolution: { '1080p': '2' } });
  assert.equal(formatAmount(chargeVideo(small, groupOf('1'), time(1_000, '1080P')).amount), '0.2');
});

test('tokens of the tier x its price per million, without any coefficient (spec 2.5, contract 6)', () => {
  const golden: [usage: VideoUsage, multiplier: string, amount: string, arithmetic: string][] = [
    [counted(108_900, 'generate'), '1', '0.7623', '108900 tokens x 7 (generate) / 1000000'],
    [counted(108_900, 'video_input'), '1', '0.46827', '108900 tokens x 4.3 (video_input) / 1000000'],
    [counted(1, 'generate'), '1', '0.000007', '1 tokens x 7 (generate) / 1000000'],
    [
      counted(246_840, 'video_input'),
      '1.5',
      '1.592118',
      '246840 tokens x 4.3 (video_input) / 1000000 x 1.5 (group partners)',
    ],
  ];
  for (const [usage, multiplier, amount, arithmetic] of golden) {
    const due = chargeVideo(tokens, groupOf(multiplier), usage);
    assert.deepEqual([formatAmount(due.amount), due.arithmetic], [amount, arithmetic]);
  }
});

test('everything is multiplied exactly and rounded once, halves up (promise M-15)', () => {
  // 1 ms of 0.000000001 x 500 is half a nano-unit; rounding before the coefficient would make it nothing.
  const tiny = priceOf({
    unit: 'second',
    amount: '0.000000001',
    resolution: { '720P': '500', '1080P': '499.999999999' },
  });
  assert.equal(chargeVideo(tiny, groupOf('1'), time(1, '720P')).amount, 1n);
  assert.equal(chargeVideo(tiny, groupOf('1'), time(1, '1080P')).amount, 0n);
  assert.equal(chargeVideo(tiny, groupOf('2.000000001'), time(1, '1080P')).amount, 1n);
});

test('a price of another unit is no price of this video', () => {
  assert.throws(() => chargeVideo(second, groupOf('1'), counted(1, 'generate')), /counted by tokens .* by second/);
  assert.throws(() => chargeVideo(tokens, groupOf('1'), time(1, '720P')), /counted by time .* by video_tokens/);
});

test('longer never costs less, and 1080P is exactly 1.78 times 720P', () => {
  fc.assert(
    fc.property(fc.nat(3_600_000), fc.nat(3_600_000), (milliseconds, more) => {
      const plain = chargeVideo(second, groupOf('1'), time(milliseconds, '720P')).amount;
      const large = chargeVideo(second, groupOf('1'), time(milliseconds, '1080P')).amount;
      const longer = chargeVideo(second, groupOf('1'), time(milliseconds + more, '720P')).amount;
      assert.ok(plain >= 0n && longer >= plain);
      assert.equal(large * 100n, plain * 178n);
    }),
  );
});

test('factors: all that match what was sent multiply, whatever their letters (contract-2 9)', () => {
  const factors = { 'mode:pro': '1.5', 'Sound:On': '1.2', 'mode:std': '9' };
  const price = priceOf({ unit: 'second', amount: '0.1', factors });
  const usage: VideoUsage = { ...time(5_000, '720P'), traits: ['mode:PRO', 'sound:on', 'ratio:16:9'] } as VideoUsage;
  const due = chargeVideo(price, groupOf('2'), usage);
  assert.deepEqual(
    [formatAmount(due.amount), due.arithmetic],
    ['1.8', '5 seconds x 0.1 x 1 (720P) x 1.5 (mode:PRO) x 1.2 (sound:on) x 2 (group partners)'],
  );
  assert.equal(formatAmount(chargeVideo(price, groupOf('1'), time(5_000, '720P')).amount), '0.5');
  assert.deepEqual(holdVideo(price, groupOf('2'), usage), due);
});

test('reported: the amount per unit that the vendor reports, else what was held (contract-2 9)', () => {
  const price = priceOf({ unit: 'reported', amount: '0.02', hold: '1.5' });
  const due = (usage: VideoUsage): [string, string] => {
    const { amount, arithmetic } = chargeVideo(price, groupOf('2'), usage);
    return [formatAmount(amount), arithmetic];
  };
  assert.deepEqual(due({ by: 'reported', units: '12.25' }), ['0.49', '12.25 units x 0.02 x 2 (group partners)']);
  assert.deepEqual(due(time(6_620, '720P')), ['0.2648', '6.62 seconds x 0.02 x 2 (group partners)']);
  assert.deepEqual(due(counted(100, 'generate')), ['4', '100 tokens x 0.02 x 2 (group partners)']);
  const held = holdVideo(price, groupOf('2'), time(5_000, '720P'));
  assert.deepEqual([formatAmount(held.amount), held.arithmetic], ['3', '1.5 as held x 2 (group partners)']);
});
