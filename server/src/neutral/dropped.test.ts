import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dropped } from './dropped.ts';

test('what cannot be translated is named once, in the words of the caller and in the order it was found', () => {
  const dropped = new Dropped({ topK: 'generationConfig.topK' }, ['container', 'container']);
  dropped.setting('topK');
  dropped.path('messages[0].name');
  dropped.setting('topK');
  dropped.setting('seed');
  assert.deepEqual(dropped.paths, ['container', 'generationConfig.topK', 'messages[0].name', 'seed']);
});

test('a value that a target does not take becomes the nearest one, and is named', () => {
  const dropped = new Dropped({ temperature: 'generationConfig.temperature' });
  const range = { least: 0, most: 1 };
  assert.deepEqual([dropped.clamped('topP', 0, range), dropped.clamped('topP', 1, range), dropped.paths], [0, 1, []]);
  assert.deepEqual([dropped.clamped('temperature', 1.5, range), dropped.clamped('topK', -3, { least: 1 })], [1, 1]);
  assert.deepEqual(dropped.paths, ['generationConfig.temperature', 'topK']);
});
