import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDialect } from './check-words.mjs';

test('a dialect word is found as a word and inside of a name, and not inside of another word', () => {
  const text = [
    'const isTold = 1;',
    '// Whoever asks',
    'equivalent, stolen, bellow',
    'PATIENCE_MS',
    'wishOf(wish)',
  ].join('\n');
  assert.deepEqual(findDialect(text), [
    { word: 'told', line: 1 },
    { word: 'whoever', line: 2 },
    { word: 'patience', line: 4 },
    { word: 'wish', line: 5 },
  ]);
});
