import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import * as json from './json-value.ts';

test('what is not of the kind is undefined, or an empty list', () => {
  for (const value of [undefined, null, 1, 'x', true, []]) assert.equal(json.asRecord(value), undefined);
  for (const value of [undefined, null, 1, 'x', {}]) assert.deepEqual(json.asList(value), []);
  for (const value of [-1, 1.5, Number.NaN, '1', null]) assert.equal(json.asCount(value), undefined);
  assert.equal(json.asNumber(Number.POSITIVE_INFINITY), undefined);
  assert.equal(json.parseRecord('[1]'), undefined);
  assert.equal(json.parseRecord('{'), undefined);
});

test('what a caller must give is refused by its own name', () => {
  assertRefused(() => json.needRecord([], 'a.b'), "'a.b' must be an object.", 'a.b');
  assertRefused(() => json.needList({}, 'a'), "'a' must be an array.", 'a');
  assertRefused(() => json.needText(1, 'a'), "'a' must be a string.", 'a');
  assertRefused(() => json.needBody(Buffer.from('[]')), 'The body must be a JSON object.');
});

test('what a caller may leave out must be of its kind when it is there', () => {
  for (const absent of [undefined, null]) {
    assert.equal(json.optionalNumber(absent, 'a'), undefined);
    assert.equal(json.optionalText(absent, 'a'), undefined);
    assert.equal(json.optionalFlag(absent, 'a'), undefined);
    assert.equal(json.optionalRecord(absent, 'a'), undefined);
    assert.deepEqual(json.optionalList(absent, 'a'), []);
  }
  assertRefused(() => json.optionalNumber('1', 'seed'), "'seed' must be a number.", 'seed');
  assertRefused(() => json.optionalFlag('yes', 'strict'), "'strict' must be true or false.", 'strict');
  assertRefused(() => json.optionalText(5, 'user'), "'user' must be a string.", 'user');
});

test('unknown fields are named with their place; null counts as absent', () => {
  const record = { a: 1, b: null, c: false, d: 0 };
  assert.deepEqual(json.unknownFields(record, new Set(['a']), 'x.'), ['x.c', 'x.d']);
  assert.deepEqual(json.present<{ a?: number; b?: number }>({ a: 0, b: undefined }), { a: 0 });
});

test('a data URL is taken apart, with or without base64, and any other address is none', () => {
  assert.deepEqual(json.readDataUrl('data:image/png;base64,AAAA'), { mediaType: 'image/png', data: 'AAAA' });
  assert.deepEqual(json.readDataUrl('DATA:text/plain;charset=utf-8;BASE64,AAAA'), {
    mediaType: 'text/plain',
    data: 'AAAA',
  });
  const plain = json.readDataUrl('data:,a%20b');
  assert.deepEqual(plain, { mediaType: 'text/plain', data: Buffer.from('a b').toString('base64') });
  for (const url of ['https://x/data:a,b', 'data:nothing', 'data:text/plain,%zz', '']) {
    assert.equal(json.readDataUrl(url), undefined);
  }
  assert.equal(json.writeDataUrl({ mediaType: 'a/b', data: 'AA' }), 'data:a/b;base64,AA');
});
