// What is inside of lists is checked too, in the pass that scans the body anyway, and refused by its place (contract 4).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { OBJECTS, readJsonBody, STRING_OR_STRINGS, TEXTS_OR_TOKENS, type WireFields } from './json-request.ts';

const FIELDS: WireFields = new Map([
  ['messages', OBJECTS],
  ['stop', STRING_OR_STRINGS],
  ['input', TEXTS_OR_TOKENS],
]);
const read = (body: unknown): unknown => readJsonBody(Buffer.from(JSON.stringify(body)), FIELDS, []);

test('items of the wrong kind are refused by their place', () => {
  for (const item of ['x', 7, null, true, []])
    assertRefused(
      () => read({ messages: [{}, { a: [1] }, item, 5] }),
      "'messages[2]' must be an object.",
      'messages[2]',
    );
  assertRefused(() => read({ stop: ['a', 1] }), "'stop[1]' must be a string.", 'stop[1]');
  for (const item of [{}, null, false])
    assertRefused(() => read({ input: ['a', item] }), /'input\[1\]' must be a string, a token id/, 'input[1]');
});

test('items of several kinds are refused where all must be alike', () => {
  for (const [input, position] of [
    [['a', 1], 1],
    [[1, 2, 'a'], 2],
    [[[1], 2], 1],
    [['a', 'b', [1]], 2],
  ] as const)
    assertRefused(
      () => read({ input }),
      `'input[${position}]' must be of the same type as 'input[0]'.`,
      `input[${position}]`,
    );
});

test('good lists pass, whatever is deeper inside', () => {
  for (const body of [
    { messages: [] },
    { messages: [{ content: [1, 'a', null] }, {}] },
    { messages: null, stop: 'a', input: 'a' },
    { stop: ['a', 'b'], input: ['a', 'b'] },
    { input: [1, -2.5, 3] },
    { input: [[1, 2], [3]] },
    { other: [1, 'a', {}] },
  ])
    assert.ok(read(body) !== undefined);
});
