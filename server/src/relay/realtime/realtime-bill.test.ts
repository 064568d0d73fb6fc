import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrice } from '../../catalogue/prices.ts';
import { NO_USAGE } from '../../neutral/usage.ts';
import { ContextSize } from './context-size.ts';
import { RealtimeBill } from './realtime-bill.ts';

const RATES = { unit: 'tokens', input: '4', output: '16', audio_input: '32', audio_output: '64' };
const catalogue = { groups: new Map() };

function billOf(price: object): RealtimeBill {
  return new RealtimeBill(catalogue, { price: readPrice(JSON.stringify(price)) }, 'default');
}

const usage = { ...NO_USAGE, input: 100, output: 50, cachedInput: 40, audioInput: 60, audioOutput: 30 };
const reported = { usage, cached: { audio: 30, image: 0 }, isDoubtful: false };
const own = { prompt: { text: 40, audio: 60, image: 0 }, text: 20, audio: 30 };

test('audio that came from a cache is charged once: at the rate of the cache where there is one, else as audio', () => {
  const cached = billOf({ ...RATES, cached_input: '0.4' });
  const { usage: used, source } = cached.used(reported, own, undefined);
  assert.equal(source, 'upstream');
  // 40 cached, 30 audio, 30 text in; 20 text and 30 audio out.
  assert.equal(cached.charge(used).amount, BigInt(40 * 400 + 30 * 32_000 + 30 * 4_000 + 20 * 16_000 + 30 * 64_000));
  const plain = billOf(RATES);
  assert.equal(
    plain.charge(plain.used(reported, own, undefined).usage).amount,
    BigInt(60 * 32_000 + 40 * 4_000 + 20 * 16_000 + 30 * 64_000),
  );
});

test('usage that is missing is our own count, one that cannot be is bounded (promises M-09, M-10)', () => {
  const bill = billOf(RATES);
  const none = bill.used({ ...reported, usage: undefined }, own, undefined);
  assert.deepEqual([none.source, none.usage.input, none.usage.output], ['counted', 100, 50]);
  const absurd = bill.used({ ...reported, usage: { ...usage, input: 1e15, output: 1e15 } }, own, 200);
  assert.deepEqual([absurd.source, absurd.usage.input, absurd.usage.output], ['bounded', 51_000, 200]);
  const open = bill.used({ ...reported, usage: { ...usage, output: 1e12 } }, own, undefined);
  assert.deepEqual(
    [open.source, open.usage.output],
    ['bounded', 50],
    'no answer is that long, with or without a limit',
  );
  const nothing = bill.used({ ...reported, usage: NO_USAGE }, own, undefined);
  assert.deepEqual([nothing.source, nothing.usage.input, nothing.usage.output], ['bounded', 100, 50]);
});

test('what is held covers the conversation and the most output, as audio where it speaks', () => {
  const bill = billOf(RATES);
  assert.equal(bill.toHold(own.prompt, 100, true), BigInt(40 * 4_000 + 60 * 32_000 + 100 * 64_000));
  assert.equal(bill.toHold(own.prompt, 100, false), BigInt(40 * 4_000 + 60 * 32_000 + 100 * 16_000));
  assert.equal(billOf({ unit: 'request', amount: '0.5' }).toHold(own.prompt, 100, true), 500_000_000n);
});

test('a transcript is charged by the seconds or tokens reported, as far as they can be', () => {
  const seconds = billOf({ unit: 'audio_second', amount: '0.001' });
  const heard = { ms: 2_400, output: 8 };
  const charged = (ms: number): bigint =>
    seconds.charge(seconds.usedHeard({ kind: 'duration', ms }, heard).usage).amount;
  assert.equal(charged(3_000), 3_000_000n);
  assert.equal(charged(3_000_000), 2_400_000n);
  const tokens = billOf(RATES);
  const read = { kind: 'tokens', usage: { ...NO_USAGE, input: 24, audioInput: 24, output: 8 } } as const;
  assert.equal(tokens.charge(tokens.usedHeard(read, heard).usage).amount, BigInt(24 * 32_000 + 8 * 16_000));
  assert.equal(tokens.usedHeard({ kind: 'none', isDoubtful: true }, heard).source, 'bounded');
});

test('a conversation is as long as the last response reported, and what was added since', () => {
  const context = new ContextSize();
  context.add({ bytes: 400, audioMs: 1_000 });
  assert.deepEqual(context.fair, { text: 100, audio: 10, image: 0 });
  const before = context.added;
  context.add({ bytes: 40 });
  context.report(before, { ...NO_USAGE, input: 200, audioInput: 20, output: 50, audioOutput: 30 });
  assert.deepEqual(context.fair, { text: 180 + 20 + 10, audio: 50, image: 0 });
});
