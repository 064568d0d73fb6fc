import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circlesIn } from './find-circles.mjs';

test('files that lead back to each other are one circle, and a long way down is none', () => {
  const imports = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', ['f']],
    ['f', ['e']],
    ['g', ['a']],
  ]);
  assert.deepEqual(circlesIn(imports), [
    ['e', 'f'],
    ['a', 'b', 'c'],
  ]);
  assert.deepEqual(
    circlesIn(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
        ['c', []],
      ]),
    ),
    [],
  );
});
