import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeId, makeIdOfSecond, makeOrderedId, firstIdAt, randomLetters } from './ids.ts';

const NOW = Date.UTC(2026, 10, 15);

test('random text has the length asked for, of letters and digits only', () => {
  for (const length of [0, 1, 20, 43, 20_000])
    assert.match(randomLetters(length), new RegExp(`^[0-9A-Za-z]{${length}}$`, 'u'));
});

test('every letter and digit is about equally likely', () => {
  const counts = new Map<string, number>();
  const length = 124_000;
  for (const letter of randomLetters(length)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 62);
  for (const [letter, count] of counts) assert.ok(Math.abs(count - length / 62) < 300, `${letter}: ${count}`);
});

test('ids do not repeat', () => {
  const ids = Array.from({ length: 20_000 }, () => [makeId('tok'), makeOrderedId('req', NOW)]).flat();
  assert.equal(new Set(ids).size, ids.length);
  assert.match(makeId('tok'), /^tok_[0-9A-Za-z]{20}$/u);
  assert.match(makeOrderedId('req', NOW), /^req_[0-9A-Za-z]{24}$/u);
});

test('ids made later sort later, by plain comparison of their bytes', () => {
  const time = fc.integer({ min: 0, max: Date.UTC(5000, 0, 1) });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 1_000_000 }), (earlier, gap) => {
      assert.ok(makeOrderedId('req', earlier) < makeOrderedId('req', earlier + gap));
    }),
    { numRuns: 2000 },
  );
});

test('ids of one millisecond, and of one second, sort in the order in which they were made', () => {
  const now = Math.floor(Date.now() / 1000);
  for (const make of [
    () => makeOrderedId('acc', NOW),
    () => makeIdOfSecond('acc', now),
    () => makeIdOfSecond('acc', now - 5),
  ]) {
    const ids = Array.from({ length: 5000 }, make);
    assert.deepEqual(ids.toSorted(), ids);
  }
});

test('an id of a second lies between that second and the next', () => {
  const now = Math.floor(Date.now() / 1000);
  for (const second of [now, now - 1, now + 1, 1]) {
    const id = makeIdOfSecond('acc', second);
    assert.ok(firstIdAt('acc', second * 1000) < id && id < firstIdAt('acc', (second + 1) * 1000), id);
  }
});

test('a time is a border between the ids made before it and from then on', () => {
  assert.ok(makeOrderedId('req', NOW - 1) < firstIdAt('req', NOW));
  assert.ok(firstIdAt('req', NOW) < makeOrderedId('req', NOW));
  assert.ok(makeOrderedId('req', Date.UTC(5000, 0, 1)) < firstIdAt('req', Date.UTC(9999, 0, 1)));
});
