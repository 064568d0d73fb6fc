import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextCache } from './text-cache.ts';

test('a text is remembered once it was added, and the oldest leaves when there are too many', () => {
  const texts = new TextCache();
  assert.equal(texts.has('first'), false);
  texts.add('first');
  assert.equal(texts.has('first'), true);
  for (let at = 0; at < 10_000; at += 1) texts.add(`next ${at}`);
  assert.equal(texts.has('first'), false);
  assert.equal(texts.has('next 0'), true);
});
