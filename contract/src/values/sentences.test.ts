import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSentence } from './sentences.ts';

const sentences = {
  'It is full.': '已满。',
  'There is a channel named "{name}" already.': '已有名为“{name}”的渠道。',
  '{errors} of {requests} requests failed': '{requests} 个请求中有 {errors} 个失败',
};

test('a sentence is found by its English, with what stands in it (issue 34 point 10)', () => {
  assert.equal(findSentence(sentences, 'It is full.'), '已满。');
  assert.equal(findSentence(sentences, 'There is a channel named "a (b)" already.'), '已有名为“a (b)”的渠道。');
  assert.equal(findSentence(sentences, '3 of 4 requests failed'), '4 个请求中有 3 个失败');
});

test('other sentences are not found, and names of objects are no keys', () => {
  assert.equal(findSentence(sentences, 'It is full. '), undefined);
  assert.equal(findSentence(sentences, 'toString'), undefined);
  assert.equal(findSentence(sentences, 'x There is a channel named "a" already.'), undefined);
});
