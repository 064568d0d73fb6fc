import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, shortened, storable } from './plain-text.ts';

test('what no database stores is taken out, and nothing else', () => {
  assert.equal(storable('a\0b\ud800c\n😀'), 'ab\ufffdc\n😀');
});

test('a text is cut between characters, never inside one', () => {
  assert.equal(shortened('ab😀c', 3), 'ab');
  assert.equal(shortened('ab😀c', 4), 'ab😀');
  assert.equal(shortened('\0abc', 3), 'abc');
});

test('a plain text is one line', () => {
  assert.equal(plainText('a\r\nb\u0007c', 4), 'a  b');
});
