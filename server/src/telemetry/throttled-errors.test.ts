import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThrottledErrors } from './throttled-errors.ts';

function watched() {
  const seen = { now: 0, lines: [] as unknown[] };
  const logger = { error: (facts: object, words: string) => void seen.lines.push([words, facts]) };
  return { seen, errors: new ThrottledErrors(logger as never, { now: () => seen.now }) };
}

test('an outage is logged at once, then once in half a minute with the number of those between', () => {
  const { seen, errors } = watched();
  const error = new Error('away');
  for (; seen.now <= 60_000; seen.now += 250) errors.tell(error, 'due tasks cannot be claimed');
  assert.deepEqual(seen.lines, [
    ['due tasks cannot be claimed', { error }],
    ['due tasks cannot be claimed', { error, untold: 119 }],
    ['due tasks cannot be claimed', { error, untold: 119 }],
  ]);
});

test('other words are logged at once, and an error long after the last one without a number', () => {
  const { seen, errors } = watched();
  const error = new Error('away');
  for (const words of ['one', 'two', 'one']) errors.tell(error, words);
  seen.now = 100_000;
  errors.tell(error, 'two');
  assert.deepEqual(seen.lines, [
    ['one', { error }],
    ['two', { error }],
    ['two', { error }],
  ]);
});

test('remembers no end of words', () => {
  const { seen, errors } = watched();
  for (let i = 0; i < 1_000; i++) errors.tell('x', `task ${i}`);
  errors.tell('x', 'task 5');
  assert.equal(seen.lines.length, 1_000);
  errors.tell('x', 'one more');
  errors.tell('x', 'task 5');
  assert.equal(seen.lines.length, 1_002);
});
