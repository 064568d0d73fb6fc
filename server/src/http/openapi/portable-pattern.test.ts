import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portablePattern, withPortablePatterns } from './portable-pattern.ts';

test('classes of one language become ranges that let through all that they let through', () => {
  const patterns = [
    String.raw`^[^\p{Cc}\p{Cs}]*$`,
    String.raw`^[\p{L}\p{N}][\p{L}\p{N} ._:-]*$`,
    String.raw`^(?:[^\s*\p{Cc}\p{Cs}]+\*?|\*)$`,
    String.raw`^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$`,
  ];
  const texts = [
    '',
    'a',
    'Ab 9._:-',
    'ä',
    '漢字',
    '𝒳1',
    'a*',
    '*',
    'a\tb',
    'a\nb',
    'a\u0000',
    ' a',
    'a/b',
    '\u0085',
    '@a',
  ];
  for (const pattern of patterns) {
    const portable = portablePattern(pattern);
    assert.doesNotMatch(portable, /\\p/);
    for (const text of texts) {
      const isGood = new RegExp(pattern, 'u').test(text);
      if (isGood) assert.match(text, new RegExp(portable, 'u'), `${portable} ${JSON.stringify(text)}`);
      else if (/^[\0-\x7f]*$/.test(text))
        assert.doesNotMatch(text, new RegExp(portable, 'u'), `${portable} ${JSON.stringify(text)}`);
    }
  }
});

test('what cannot be said in other languages makes no document', () => {
  for (const pattern of ['^(?=a)', '(?<!b)a', '(?<name>a)', '(a)\\1', '\\p{Lu}', '\\u{1f600}'])
    assert.throws(() => withPortablePatterns({ a: [{ pattern }] }), /other languages cannot read/, pattern);
  assert.deepEqual(withPortablePatterns({ pattern: '^a+$', b: [1, null] }), { pattern: '^a+$', b: [1, null] });
});
