import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeSecretBox } from './secret-box.ts';

const box = makeSecretBox('the master secret of this test');

test('what is sealed opens again, also with a new box', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      assert.equal(makeSecretBox('the master secret of this test').open(box.seal(plain)), plain);
    }),
    { numRuns: 200 },
  );
});

test('the same text is sealed differently each time, and none of it shows', () => {
  const sealed = new Set(Array.from({ length: 100 }, () => box.seal('sk-upstream-key-1234')));
  assert.equal(sealed.size, 100);
  for (const text of sealed) {
    assert.match(text, /^v1\.[\w-]+$/u);
    assert.ok(!Buffer.from(text.slice(3), 'base64url').includes('upstream'));
  }
});

test('another master secret opens nothing', () => {
  const sealed = box.seal('sk-upstream-key-1234');
  assert.throws(() => makeSecretBox('the master secret of this tesT').open(sealed));
});

test('a text that was changed anywhere does not open', () => {
  const bytes = Buffer.from(box.seal('sk-upstream-key-1234').slice(3), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => box.open(`v1.${changed.toString('base64url')}`), `byte ${at}`);
  }
  assert.throws(() => box.open(`v1.${Buffer.concat([bytes, Buffer.from('x')]).toString('base64url')}`));
});

test('a text that was cut short does not open', () => {
  for (const plain of ['sk-upstream-key-1234', '']) {
    const bytes = Buffer.from(box.seal(plain).slice(3), 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      const cut = `v1.${bytes.subarray(0, length).toString('base64url')}`;
      assert.throws(() => box.open(cut), `"${plain}" cut to ${length} bytes`);
    }
  }
});

test('texts of another kind are refused', () => {
  for (const text of ['', 'v1', 'v1.', 'v2.AAAA', 'sk-plain', `V1.${box.seal('x').slice(3)}`])
    assert.throws(() => box.open(text), text);
});
