import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentConditions, isUnchanged, rangeOf } from './content-conditions.ts';

const state = { etag: '"v1"', lastModified: 'Sun, 15 Nov 2026 06:00:00 GMT' };
const nothing = { range: undefined, ifRange: undefined, ifNoneMatch: undefined, ifModifiedSince: undefined };
const unchanged = (asked: Partial<ContentConditions>): boolean => isUnchanged({ ...nothing, ...asked }, state);

test('a client that has the tag or the date gets nothing again (RFC 9110, 13.1)', () => {
  assert.equal(unchanged({}), false);
  for (const ifNoneMatch of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) assert.ok(unchanged({ ifNoneMatch }), ifNoneMatch);
  for (const ifNoneMatch of ['"v2"', 'v1', '']) assert.ok(!unchanged({ ifNoneMatch }), ifNoneMatch);
  assert.ok(unchanged({ ifModifiedSince: state.lastModified }));
  assert.ok(unchanged({ ifModifiedSince: 'Sun, 15 Nov 2026 07:00:00 GMT' }));
  assert.ok(!unchanged({ ifModifiedSince: 'Sun, 15 Nov 2026 05:59:59 GMT' }));
  assert.ok(!unchanged({ ifModifiedSince: 'yesterday' }));
  assert.ok(!unchanged({ ifNoneMatch: '"v2"', ifModifiedSince: state.lastModified }), 'the tag decides');
});

test('a range is kept only for the state that it is part of (RFC 9110, 13.1.5)', () => {
  const range = 'bytes=1-2';
  for (const ifRange of [undefined, '"v1"', state.lastModified])
    assert.equal(rangeOf({ ...nothing, range, ifRange }, state), range);
  for (const ifRange of ['"v2"', 'W/"v1"', 'Sun, 15 Nov 2026 07:00:00 GMT'])
    assert.equal(rangeOf({ ...nothing, range, ifRange }, state), undefined);
});
