import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, cutIntoTokens } from './tokens.ts';

test('the pieces of a text join to the text, and are counted without being kept', () => {
  const texts = ['', ' ', 'Hello, world!', 'a   b\n\n\tc ', 'naïve 猫 in the café 🙂', 'x'.repeat(20), '{"a":[1,2]}'];
  for (const text of texts) {
    const pieces = cutIntoTokens(text);
    assert.equal(pieces.join(''), text);
    assert.equal(countTokens(text), pieces.length);
  }
});

test('words, signs and long words are cut by rule', () => {
  assert.deepEqual(cutIntoTokens('Hello, world!'), ['Hello', ',', ' world', '!']);
  assert.deepEqual(cutIntoTokens('abcdefghij'), ['abcdefgh', 'ij']);
});
