import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDialect, findNames } from './check-words.mjs';

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

test('a word that is true English is found only where something is declared by it', () => {
  const text = [
    '// what was said has no place here',
    "const said = 'a place';",
    'function put(place: number) {}',
    '  readonly #room = 1;',
    "assert.match(text, 'You said');",
    'const { rooms, parts } = world;',
    'async function run(parts: BatchDependencies) {}',
    'const parts: StreamPart[] = [];',
  ].join('\n');
  assert.deepEqual(findNames(text), [
    { word: 'said', line: 2 },
    { word: 'place', line: 3 },
    { word: 'room', line: 4 },
    { word: 'rooms', line: 6 },
    { word: 'parts', line: 7 },
  ]);
});
