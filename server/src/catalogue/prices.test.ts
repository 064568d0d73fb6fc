import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPrice } from './prices.ts';

test('a price per million tokens is read with its optional parts (contract 6)', () => {
  const text = '{"unit":"tokens","input":"2.5","output":"10","cached_input":"1.25"}';
  assert.deepEqual(readPrice(text), {
    unit: 'tokens',
    perMillion: { input: 2_500_000_000n, output: 10_000_000_000n, cached_input: 1_250_000_000n },
    text,
  });
});

test('a price per request is read', () => {
  const text = '{"unit":"request","amount":"0.000000001"}';
  assert.deepEqual(readPrice(text), { unit: 'request', amount: 1n, text });
});

test('image, characters, audio_second and search are read as whole nano-units, with the prices by size', () => {
  const image = '{"unit":"image","amount":"0.04","by":{"1024x1024/hd":"0.08"}}';
  const by = new Map([['1024x1024/hd', 80_000_000n]]);
  assert.deepEqual(readPrice(image), { unit: 'image', amount: 40_000_000n, by, text: image });
  for (const [unit, amount, nano] of [
    ['characters', '15', 15_000_000_000n],
    ['audio_second', '0.0001', 100_000n],
    ['search', '0.002', 2_000_000n],
  ] as const) {
    const text = JSON.stringify({ unit, amount });
    assert.deepEqual(readPrice(text), { unit, amount: nano, text });
  }
});

test('the units of video are read with their coefficients and tiers, resolutions in capitals', () => {
  const second = '{"unit":"second","amount":"0.14","resolution":{"720P":"1","1080p":"1.78"}}';
  const resolution = new Map([
    ['720P', 1_000_000_000n],
    ['1080P', 1_780_000_000n],
  ]);
  assert.deepEqual(readPrice(second), { unit: 'second', amount: 140_000_000n, resolution, text: second });
  const tokens = '{"unit":"video_tokens","generate":"7","video_input":"4.3"}';
  const perMillion = { generate: 7_000_000_000n, video_input: 4_300_000_000n };
  assert.deepEqual(readPrice(tokens), { unit: 'video_tokens', perMillion, text: tokens });
});

test('what is not a price reads as none, so that nothing is sold at a guess', () => {
  assert.equal(readPrice(null), undefined);
  for (const text of [
    '',
    'null',
    '7',
    '[]',
    '{}',
    '{"unit":"barrel","amount":"1"}',
    '{"unit":"tokens","input":"1"}',
    '{"unit":"tokens","input":1,"output":2}',
    '{"unit":"tokens","input":"-1","output":"2"}',
    '{"unit":"tokens","input":"1","output":"2","cached_input":"cheap"}',
    '{"unit":"request"}',
    '{"unit":"second","resolution":{"720P":"1"}}',
    '{"unit":"second","amount":"1","resolution":{"720P":"much"}}',
    '{"unit":"second","amount":"1","resolution":"720P"}',
    '{"unit":"video_tokens","generate":"7"}',
    '{"unit":"video_tokens","video_input":"7"}',
  ]) {
    assert.equal(readPrice(text), undefined, text);
  }
});

test("tiers and tools are known by the vendors' own names; of two that are one the more expensive one counts (contract-2 9)", () => {
  const price = readPrice(
    JSON.stringify({
      unit: 'tokens',
      input: '1',
      output: '1',
      tiers: { Priority: '2', standard: '1.2' },
      tools: { web_search_preview: '0.025', web_search_20250305: '0.01', file_search: '0.002' },
    }),
  );
  assert.ok(price?.unit === 'tokens');
  assert.deepEqual(
    price.tiers,
    new Map([
      ['priority', 2_000_000_000n],
      ['default', 1_200_000_000n],
    ]),
  );
  assert.deepEqual(
    price.tools,
    new Map([
      ['web_search', 25_000_000n],
      ['file_search', 2_000_000n],
    ]),
  );
});
