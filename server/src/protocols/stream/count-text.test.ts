import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countText, TextCounter, type TextFields } from './count-text.ts';

const FIELDS: TextFields = {
  each: { content: 'text', input: 'value', result: 'image', logprobs: 'skip' },
  oneOf: ['reasoning', 'thought'],
  instead: 'sealed',
};
const bytesOf = (value: unknown): number => countText(Buffer.from(JSON.stringify(value)), FIELDS);

test('only the text of the named fields is output, never what stands around it (promise M-10)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.json(), fc.boolean(), (content, other, indent) => {
      const value = [{ id: other, content, logprobs: { content: [{ content: other }] } }];
      const text = JSON.stringify(value, null, indent ? 1 : 0);
      const escapes = JSON.stringify(content).match(/\\u/g)?.length ?? 0;
      const size = countText(Buffer.from(text), FIELDS);
      const real = Buffer.byteLength(content.toWellFormed());
      assert.ok(size >= real - 2 * escapes && size <= real + 2 * escapes, `${size} for ${real}`);
    }),
  );
});

test('an escape is no text: a letter counts the same however it is written', () => {
  assert.equal(bytesOf({ content: '"\\\n'.repeat(10) }), 30);
  assert.equal(countText(Buffer.from('{"content":"\\u4e2d\\u6587"}'), FIELDS), Buffer.byteLength('中文'));
});

test('an object counts as written, an image as one, and a text under two names once', () => {
  assert.equal(bytesOf({ input: { a: '}"' } }), '{"a":"}\\""}'.length);
  assert.equal(bytesOf({ result: 'x'.repeat(90_000) }), 4_224);
  assert.equal(bytesOf({ reasoning: 'abc', thought: 'abcd', content: 'x' }), 5);
});

test('sealed text counts only where it is not shown', () => {
  assert.deepEqual([bytesOf({ sealed: 'abcd' }), bytesOf({ sealed: 'abcd', thought: 'a' })], [4, 1]);
});

test('empty texts and other values are no pieces; a value that never closes ends with the bytes', () => {
  const counter = new TextCounter(FIELDS);
  for (const text of ['{"content":""}', '{"content":null}', '{"x":"content","y":["content"]}', '{"logprobs":null}'])
    counter.add(Buffer.from(text));
  assert.deepEqual([counter.pieces, counter.bytes], [0, 0]);
  for (const text of [
    '{"content":"a\\',
    '{"logprobs":{"content":"a"',
    '{"content":"b"',
    '{"logprobs":null,"content":"c"}',
  ])
    counter.add(Buffer.from(text));
  assert.deepEqual([counter.pieces, counter.bytes], [3, 4]);
});
