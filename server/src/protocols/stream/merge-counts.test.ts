import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { mergeCounts } from './merge-counts.ts';

const NAMES = ['input', 'cached', 'output'];
const INPUTS = ['input', 'cached'];
const report = fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 1_000 }));

test('of each field the last value that was reported counts, whatever was larger (promise M-10)', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 8 }), (reports) => {
      const merged = reports.reduce<Record<string, unknown>>((before, one) => mergeCounts(before, one, INPUTS), {});
      for (const name of NAMES) assert.equal(merged[name], reports.findLast((one) => name in one)?.[name]);
    }),
  );
});

test('what cannot be true, nothing, and no input at all change nothing', () => {
  const before = { input: 10, cached: 90, output: 3 };
  for (const reported of [
    null,
    7,
    [],
    {},
    { input: null },
    { output: -1 },
    { output: '4' },
    { output: 0.5 },
    { output: 1e18 },
  ])
    assert.deepEqual(mergeCounts(before, reported, INPUTS), before, JSON.stringify(reported));
  assert.deepEqual(mergeCounts(before, { input: 0, cached: 0, output: 4 }, INPUTS), { ...before, output: 4 });
  assert.deepEqual(mergeCounts(before, { input: 0, cached: 100 }, INPUTS), { input: 0, cached: 100, output: 3 });
});

test('zeros do not undo what was counted (promise M-10)', () => {
  const before = { input: 10, cached: 90, output: 3 };
  assert.deepEqual(mergeCounts(before, { input: 0, cached: 0, output: 0 }, INPUTS), before);
  assert.deepEqual(mergeCounts(before, { output: 0 }, INPUTS), before);
  assert.deepEqual(mergeCounts(before, { input: 100, cached: 0, output: 0 }, INPUTS), {
    input: 100,
    cached: 0,
    output: 3,
  });
  assert.deepEqual(mergeCounts({}, { input: 0, output: 0 }, INPUTS), { input: 0, output: 0 });
});
