import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SecretMask } from './secret-mask.ts';

test('a secret is hidden in every form it is written in, and nothing moves', () => {
  const mask = new SecretMask(['sk-a/b+c=123']);
  const text = 'x sk-a/b+c=123 sk-a\\/b+c=123 sk-a%2Fb%2Bc%3D123 sk-a/b+c=12 y';
  const bytes = Buffer.from(text);
  mask.hide(bytes);
  assert.equal(bytes.toString(), 'x ************ ************* ****************** sk-a/b+c=12 y');
  assert.equal(mask.hideText(text), bytes.toString());
});

test('a secret is hidden however writers of JSON and of addresses escape it', () => {
  const mask = new SecretMask(['sk+<a&b>"0123']);
  for (const form of [
    'sk+<a&b>\\"0123',
    'sk+\\u003ca\\u0026b\\u003e\\"0123',
    'sk\\u002B\\u003Ca\\u0026b\\u003E\\"0123',
    'sk\\u002b\\u003ca\\u0026b\\u003e\\"0123',
    'sk%2B%3Ca%26b%3E%220123',
    'sk%2b%3ca%26b%3e%220123',
  ])
    assert.equal(mask.hideText(`x ${form} y`), `x ${'*'.repeat(form.length)} y`);
});

test('words that stand where no key is needed hide nothing', () => {
  for (const word of ['', 'none', 'EMPTY', 'sandbox', 'anything', 'a1']) assert.ok(new SecretMask([word]).isIdle, word);
  for (const secret of ['upstream-key', 'abcdefghijklmnop', '12345678'])
    assert.ok(!new SecretMask([secret]).isIdle, secret);
});

test('what may go on in the next piece is known, be it the begin of several at once', () => {
  const mask = new SecretMask(['aabaabaac1', 'abaab-1234']);
  const open = (text: string): number => mask.openEnd(Buffer.from(text));
  assert.deepEqual(
    ['', 'x', 'xa', 'xaa', 'xaab', 'xaabaa', 'xaabaab', 'aabaabaac', 'xabaab-', 'b', 'aabaabaacx'].map(open),
    [0, 0, 1, 2, 3, 5, 6, 9, 6, 0, 0],
  );
});

test('the open end is the longest end of the bytes that begins a secret', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', '1'), { maxLength: 30 }),
      fc.array(fc.constantFrom('a', 'b', '1'), { minLength: 16, maxLength: 20 }),
      (text, key) => {
        const [bytes, secret] = [text.join(''), key.join('')];
        const mask = new SecretMask([secret]);
        let expected = 0;
        for (let length = 1; length < secret.length && length <= bytes.length; length++)
          if (bytes.endsWith(secret.slice(0, length))) expected = length;
        assert.equal(mask.openEnd(Buffer.from(bytes)), expected);
      },
    ),
  );
});
