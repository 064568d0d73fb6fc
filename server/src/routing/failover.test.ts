import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureClass } from '../errors/failure-class.ts';
import { failureMeanings } from './failover.ts';

/** The table of contract section 4 and 5, said again: what each class of failure leads to. */
const EXPECTED: Record<FailureClass, [next: string, blame: string]> = {
  refused: ['stop', 'none'],
  aborted: ['stop', 'none'],
  unauthorised: ['key', 'key'],
  limited: ['key', 'key-limit'],
  overloaded: ['channel', 'channel'],
  'timed-out': ['channel', 'channel'],
  unreachable: ['channel', 'channel'],
  malformed: ['channel', 'channel'],
};

test('every class of upstream error has its meaning, and no other class has one', () => {
  assert.deepEqual(
    Object.fromEntries(Object.entries(failureMeanings).map(([name, { next, blame }]) => [name, [next, blame]])),
    EXPECTED,
  );
});

test('a request that the upstream refused or the client gave up blames nobody and asks nobody else', () => {
  for (const { next, blame } of Object.values(failureMeanings)) assert.equal(next === 'stop', blame === 'none');
});
