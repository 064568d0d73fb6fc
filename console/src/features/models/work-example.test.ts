import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Price } from '#contract/prices.ts';
import { draftOfPrice, draftOfUnit } from './price-draft.ts';
import { countsOf, kindsOf, workExample } from './work-example.ts';

test('the worked example is exact, and splits off only what has a price of its own', () => {
  const price: Price = { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' };
  const counts = { input: 1200, cached_input: 200, audio_input: 100, output: 350 };
  assert.deepEqual(workExample(draftOfPrice(price), counts), {
    amount: '0.00625',
    arithmetic: '(1000 input x 2.5 + 200 cached_input x 1.25 + 350 output x 10) / 1000000',
  });
  const spoken = draftOfPrice({ ...price, audio_input: '40', audio_output: '80' });
  assert.equal(
    workExample(spoken, { ...counts, audio_output: 1000 })?.arithmetic,
    '(900 input x 2.5 + 200 cached_input x 1.25 + 100 audio_input x 40 + 0 output x 10 + 350 audio_output x 80) / 1000000',
  );
  assert.deepEqual(
    countsOf(draftOfPrice(price)).map(([name]) => name),
    ['input', 'output', 'cached_input'],
  );
  assert.equal(workExample(draftOfPrice({ unit: 'characters', amount: '0.000001' }), { characters: 1 })?.amount, '0');
});

test('rows of a table and tiers are worked out each by itself, as the gateway writes them', () => {
  const video = draftOfPrice({ unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } });
  assert.deepEqual(kindsOf(video), ['720P', '1080P']);
  assert.deepEqual(workExample(video, { seconds: 5 }, '1080P'), {
    amount: '1.246',
    arithmetic: '5 seconds x 0.14 x 1.78 (1080P)',
  });
  const image = draftOfPrice({ unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08' } });
  assert.deepEqual(workExample(image, { images: 2 }, '1024x1024/hd'), {
    amount: '0.16',
    arithmetic: '2 images of 1024x1024/hd x 0.08',
  });
  assert.deepEqual(
    kindsOf(image).map((kind) => workExample(image, { images: 2 }, kind)?.amount),
    ['0.16', '0.08'],
  );
  const tokens = draftOfPrice({ unit: 'video_tokens', generate: '7', video_input: '4.3' });
  assert.deepEqual(
    kindsOf(tokens).map((kind) => workExample(tokens, { generate: 100_000 }, kind)?.arithmetic),
    ['100000 tokens x 7 (generate) / 1000000', '100000 tokens x 4.3 (video_input) / 1000000'],
  );
});

test('long calls, tiers and uses of tools are worked out as the gateway does (contract-2 9)', () => {
  const draft = draftOfPrice({
    unit: 'tokens',
    input: '2',
    output: '10',
    above: [{ input_tokens: 1000, input: '4', output: '20' }],
    tiers: { priority: '2' },
    tools: { web_search: '0.01' },
  });
  assert.deepEqual(kindsOf(draft), ['default', 'priority']);
  assert.deepEqual(
    countsOf(draft).map(([name]) => name),
    ['input', 'output', 'tools web_search'],
  );
  assert.deepEqual(workExample(draft, { input: 1001, output: 10, 'tools web_search': 3 }, 'priority'), {
    amount: '0.038408',
    arithmetic:
      '(1001 input x 4 + 10 output x 20) / 1000000 (above 1000 input tokens) x 2 (tier priority) + 3 web_search x 0.01',
  });
  assert.equal(workExample(draft, { input: 1000, output: 10 }, 'default')?.amount, '0.0021');
});

test('an unfinished price has no example', () => {
  assert.equal(workExample(draftOfPrice(null), { input: 1 }), undefined);
  assert.equal(workExample({ ...draftOfUnit('request'), fields: { amount: '-1' } }, { requests: 1 }), undefined);
});
