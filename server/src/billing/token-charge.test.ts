import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Group } from '../catalogue/catalogue.ts';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { parseDecimal } from '../shared/decimal.ts';
import { amountOf, charge, type Counted } from './charge.ts';
import { chargedExtras } from './charged-extras.ts';
import { highestDetails, highestPrice, highestTier, usesToHold } from './highest-cost.ts';
import { formatAmount } from './money.ts';

const NOTHING: Counted = { input: 0, output: 0, images: 0, characters: 0, audioMs: 0, searches: 0 };

function priceOf(fields: Record<string, unknown>): Price & { unit: 'tokens' } {
  const price = readPrice(JSON.stringify({ unit: 'tokens', input: '2', output: '10', ...fields }));
  assert.ok(price?.unit === 'tokens');
  return price;
}

function groupOf(multiplier: string): Group {
  return { name: 'vip', multiplier, multiplierNano: parseDecimal(multiplier) ?? 0n, models: undefined };
}

function due(fields: Record<string, unknown>, counted: Partial<Counted>, multiplier = '1'): [string, string] {
  const { amount, arithmetic } = charge(priceOf(fields), groupOf(multiplier), { ...NOTHING, ...counted });
  return [formatAmount(amount), arithmetic];
}

const above = [
  { input_tokens: 500, input: '8', output: '30' },
  { input_tokens: 100, input: '4', output: '20', cached_input: '1' },
];

test('above: more input tokens than the threshold have its rates, for the whole call (contract-2 9)', () => {
  assert.deepEqual(due({ above }, { input: 100, output: 10 }), [
    '0.0003',
    '(100 input x 2 + 10 output x 10) / 1000000',
  ]);
  assert.deepEqual(due({ above }, { input: 101, output: 10 }), [
    '0.000604',
    '(101 input x 4 + 10 output x 20) / 1000000 (above 100 input tokens)',
  ]);
  assert.deepEqual(due({ above }, { input: 501, output: 10 })[0], '0.004308');
});

test('above: a rate that is absent there is as the plain price has it (contract-2 9)', () => {
  const cached = { input: 200, output: 0, cachedInput: 100 };
  assert.equal(due({ above, cached_input: '0.5' }, cached)[0], '0.0005'); // 100 x 4 + 100 x 1
  assert.equal(due({ above: [above[0]], cached_input: '0.5' }, { ...cached, input: 600 })[0], '0.00405'); // 500 x 8 + 100 x 0.5
  assert.equal(due({ above: [above[0]] }, { ...cached, input: 600 })[0], '0.0048');
});

test('tiers: the factor of the tier multiplies the tokens, one without a price costs as the plain one (contract-2 9)', () => {
  const tiers = { priority: '2', Flex: '0.5' };
  const counted = { input: 100, output: 10 };
  assert.deepEqual(due({ tiers }, { ...counted, serviceTier: 'priority' }), [
    '0.0006',
    '(100 input x 2 + 10 output x 10) / 1000000 x 2 (tier priority)',
  ]);
  assert.equal(due({ tiers }, { ...counted, serviceTier: 'flex' })[0], '0.00015');
  assert.deepEqual(due({ tiers }, { ...counted, serviceTier: 'scale' }), [
    '0.0003',
    '(100 input x 2 + 10 output x 10) / 1000000; unpriced: tier scale',
  ]);
  assert.equal(due({ tiers }, counted)[0], '0.0003');
});

test('tools: each use has its price, which no tier raises; the group multiplies the sum (contract-2 9)', () => {
  const fields = { tiers: { priority: '2' }, tools: { web_search: '0.01' } };
  const counted = { input: 100, output: 10, serviceTier: 'priority', toolUses: { web_search: 3 } };
  assert.deepEqual(due(fields, counted), [
    '0.0306',
    '(100 input x 2 + 10 output x 10) / 1000000 x 2 (tier priority) + 3 web_search x 0.01',
  ]);
  assert.deepEqual(due(fields, { ...counted, toolUses: { web_search: 3, code_interpreter: 1 } }, '0.5'), [
    '0.0153',
    '((100 input x 2 + 10 output x 10) / 1000000 x 2 (tier priority) + 3 web_search x 0.01) x 0.5 (group vip); unpriced: 1 code_interpreter',
  ]);
});

test('uses and tiers beside a flat price cost nothing and are named as unpriced (contract-2 9)', () => {
  const flat = readPrice('{"unit":"request","amount":"0.01"}');
  assert.ok(flat);
  const counted = { ...NOTHING, serviceTier: 'priority', toolUses: { web_search: 2 } };
  const { amount, arithmetic } = charge(flat, groupOf('1'), counted);
  assert.deepEqual(
    [formatAmount(amount), arithmetic],
    ['0.01', '0.01 per request; unpriced: 2 web_search, tier priority'],
  );
});

test('the reported tier counts, else the one asked for; a provider with another name for it changes nothing', () => {
  const price = priceOf({ tiers: { priority: '2', fast: '3' } });
  const tier = (reported: string | undefined, ...asked: string[]): string | undefined =>
    chargedExtras(price, { serviceTier: reported }, { tiers: () => asked })?.serviceTier;
  assert.equal(tier('priority', 'fast'), 'priority');
  assert.equal(tier('default', 'priority'), undefined);
  assert.equal(tier(undefined, 'priority'), 'priority');
  assert.equal(tier('priority', 'auto'), 'priority');
  assert.equal(tier(undefined, 'auto'), undefined);
  assert.equal(tier('turbo', 'fast'), 'fast');
  assert.equal(tier('turbo', 'auto'), 'turbo');
  assert.equal(tier(undefined, 'priority', 'fast'), 'fast', 'of two the one that costs more');
  assert.equal(tier(undefined, 'fast', 'default'), 'fast');
  assert.equal(tier('turbo', 'golden', 'priority'), 'priority');
});

test('uses that cannot be true are not believed (promise M-10)', () => {
  const uses = { web_search: 2, a: -1, b: 1.5, 'no name': 1, c: 1e9 };
  assert.deepEqual(chargedExtras(priceOf({}), { toolUses: uses })?.toolUses, { web_search: 2, c: 1_000 });
  assert.equal(chargedExtras(priceOf({}), { toolUses: { web_search: 0 } }), undefined);
});

test('what is held uses the highest tier that may be served, and ten uses where the request has no limit', () => {
  const price = priceOf({ tiers: { priority: '2', flex: '0.5' }, tools: { web_search: '0.01' } });
  assert.equal(highestTier(price), 'priority');
  assert.equal(highestTier(price, ['auto']), 'priority');
  assert.equal(highestTier(price, ['flex']), 'default');
  assert.equal(highestTier(price, ['default']), 'default');
  assert.deepEqual(usesToHold(price, [{ name: 'web_search', mostUses: 3 }, { name: 'other' }]), { web_search: 3 });
  assert.deepEqual(usesToHold(price, [{ name: 'web_search' }]), { web_search: 10 });
  assert.equal(usesToHold(price, [{ name: 'other' }]), undefined);
});

test('what is held is never below the charge of a call within its bounds, whatever the price (contract 6, contract-2 9)', () => {
  const rate = fc.integer({ min: 0, max: 50 }).map(String);
  const rates = fc.record(
    { input: rate, output: rate, cache_write: rate, audio_input: rate, audio_output: rate },
    { requiredKeys: ['input', 'output'] },
  );
  const factor = fc.constantFrom('0', '0.5', '1', '1.75', '6');
  const fields = fc.record({
    plain: rates,
    above: fc.uniqueArray(fc.record({ input_tokens: fc.integer({ min: 1, max: 2_000 }), rates }), {
      selector: (one) => one.input_tokens,
      maxLength: 3,
    }),
    tiers: fc.dictionary(fc.constantFrom('priority', 'flex', 'default', 'fast'), factor),
    tools: fc.dictionary(fc.constantFrom('web_search', 'file_search'), rate),
  });
  const asked = fc.constantFrom(undefined, 'auto', 'default', 'priority', 'flex');
  fc.assert(
    fc.property(
      fields,
      asked,
      fc.nat(3_000),
      fc.nat(500),
      fc.nat(5),
      fc.gen(),
      (all, tier, input, output, uses, gen) => {
        const list = all.above.map(({ input_tokens, rates: own }) => ({ input_tokens, ...own }));
        const price = priceOf({ ...all.plain, above: list, tiers: all.tiers, tools: all.tools });
        const parts = { text: ['cache_write'], media: ['audio_input'], output: ['audio_output'] } as const;
        const dear = highestPrice(price, { input, isOpen: () => false });
        const mediaInput = gen(fc.nat, input);
        const toolUses = usesToHold(price, [{ name: 'web_search', mostUses: uses }]);
        const held = amountOf(dear, groupOf('1.5'), {
          ...NOTHING,
          input,
          output,
          ...highestDetails(dear, parts, { input, mediaInput, output }),
          serviceTier: highestTier(price, tier === undefined ? undefined : [tier]),
          toolUses,
        });
        const used = { input: gen(fc.nat, input), output: gen(fc.nat, output) };
        // Of the media's tokens no more than were held for, and the text may be written to the cache.
        const audioInput = Math.min(gen(fc.nat, mediaInput), used.input);
        const served =
          tier === undefined || tier === 'auto'
            ? gen(fc.constantFrom, 'default', ...Object.keys(all.tiers))
            : gen(fc.constantFrom, 'default', tier);
        const counted = {
          ...NOTHING,
          ...used,
          audioInput,
          cacheWrite: Math.min(used.input - audioInput, gen(fc.nat, input - mediaInput)),
          audioOutput: gen(fc.nat, used.output),
          serviceTier: served,
          toolUses: { web_search: gen(fc.nat, uses) },
        };
        assert.ok(amountOf(price, groupOf('1.5'), counted) <= held);
      },
    ),
    { numRuns: 400 },
  );
});

test('an input of unknown length is held for at the highest rates of all (contract-2 9)', () => {
  const price = priceOf({ above });
  const open = highestPrice(price, { input: 5, isOpen: () => true });
  assert.ok(open.unit === 'tokens');
  assert.deepEqual(open.perMillion, { input: 8_000_000_000n, output: 30_000_000_000n, cached_input: 8_000_000_000n });
  assert.equal(
    highestPrice(priceOf({}), { input: 5, isOpen: () => assert.fail('nobody needs to know') }).unit,
    'tokens',
  );
});

test('a price with rates, factors or amounts that cannot be understood is none (contract 6)', () => {
  const read = (fields: Record<string, unknown>): unknown =>
    readPrice(JSON.stringify({ unit: 'tokens', input: '2', output: '10', ...fields }));
  for (const fields of [
    { above: {} },
    { above: [{ input_tokens: 1.5, input: '1', output: '1' }] },
    { above: [{ input_tokens: 5, input: '1' }] },
    { above: [7] },
    { tiers: { priority: 2 } },
    { tools: { web_search: '-1' } },
    { tools: 'free' },
  ])
    assert.equal(read(fields), undefined, JSON.stringify(fields));
  assert.ok(read({ above: null, tiers: null, tools: null }) !== undefined);
});

test('batch: the tokens of a line of a batch cost the factor, uses of tools do not, and other calls the plain price (contract-2 8)', () => {
  const price = { batch: '0.5', tiers: { flex: '0.5' }, tools: { web_search: '0.01' } };
  const tokens = { input: 100, output: 10 };
  const plain = ['0.0003', '(100 input x 2 + 10 output x 10) / 1000000'];
  assert.deepEqual(due(price, tokens), plain);
  assert.deepEqual(due({}, { ...tokens, isBatch: true }), plain);
  assert.deepEqual(due(price, { ...tokens, isBatch: true }), ['0.00015', `${plain[1]} x 0.5 (batch)`]);
  const tools = { ...tokens, isBatch: true, serviceTier: 'flex', toolUses: { web_search: 3 } };
  assert.deepEqual(due(price, tools, '2'), [
    '0.06015',
    `(${plain[1]} x 0.5 (tier flex) x 0.5 (batch) + 3 web_search x 0.01) x 2 (group vip)`,
  ]);
});

test('a batch factor of 0 is free, and one that is no number makes no price', () => {
  assert.deepEqual(due({ batch: '0' }, { input: 100, isBatch: true })[0], '0');
  assert.equal(readPrice(JSON.stringify({ unit: 'tokens', input: '2', output: '10', batch: 'half' })), undefined);
});
