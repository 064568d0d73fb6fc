import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allows, readPatterns } from './model-patterns.ts';

test('no list allows every model, an empty list none', () => {
  assert.equal(allows(undefined, 'gpt'), true);
  assert.equal(allows([], 'gpt'), false);
});

test('a pattern is an exact name or a prefix followed by *', () => {
  for (const [pattern, model, expected] of [
    ['gpt-4', 'gpt-4', true],
    ['gpt-4', 'gpt-4o', false],
    ['gpt-4', 'GPT-4', false],
    ['gpt-4*', 'gpt-4', true],
    ['gpt-4*', 'gpt-4o', true],
    ['gpt-4*', 'gpt-3', false],
    ['*', 'any/thing:1.0', true],
    ['vendor/*', 'vendor/model.v2:free', true],
    ['vendor/*', 'vendor', false],
    ['g.t*', 'gpt', false],
  ] as const) {
    assert.equal(allows([pattern], model), expected, `${pattern} ~ ${model}`);
    assert.equal(allows(['other', pattern], model), expected, `other, ${pattern} ~ ${model}`);
  }
});

test('the store keeps a list as JSON text and every model as null', () => {
  assert.equal(readPatterns(null), undefined);
  assert.deepEqual(readPatterns('["a","b*"]'), ['a', 'b*']);
});
