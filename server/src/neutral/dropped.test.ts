import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dropped } from './dropped.ts';

test('what cannot be told is named once, in the words of the caller and in the order it was found', () => {
  const dropped = new Dropped({ topK: 'generationConfig.topK' }, ['container', 'container']);
  dropped.setting('topK');
  dropped.path('messages[0].name');
  dropped.setting('topK');
  dropped.setting('seed');
  assert.deepEqual(dropped.paths, ['container', 'generationConfig.topK', 'messages[0].name', 'seed']);
});
