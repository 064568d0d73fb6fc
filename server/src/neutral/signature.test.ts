import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignatureOrSeal, readSignature, writeSignatureOrSeal, writeSignature } from './signature.ts';

const own = { protocol: 'openai-chat', value: 'abc.def' };
const foreign = { protocol: 'anthropic-messages', value: 'tg1.x.y' };

test('a signature is bare for its own protocol and marked for others, and comes back as it was', () => {
  assert.equal(writeSignature(own, 'openai-chat'), 'abc.def');
  assert.equal(writeSignature(foreign, 'openai-chat'), 'tg1.anthropic-messages.tg1.x.y');
  for (const one of [own, foreign]) {
    assert.deepEqual(readSignature(writeSignature(one, 'openai-chat'), 'openai-chat'), one);
  }
});

test('what only looks like a mark is a signature of the own protocol', () => {
  for (const text of ['tg1.', 'tg1.nothing', 'tg2.a.b', '']) {
    assert.deepEqual(readSignature(text, 'p'), { protocol: 'p', value: text });
  }
});

test('signatures and sealed reasoning that share a field are distinguished on the way back', () => {
  for (const signature of [{ signature: own }, { signature: foreign }, { sealed: own }, { sealed: foreign }]) {
    assert.deepEqual(
      readSignatureOrSeal(writeSignatureOrSeal(signature, 'openai-responses') ?? '', 'openai-responses'),
      signature,
    );
  }
  assert.equal(writeSignatureOrSeal({}, 'p'), undefined);
  assert.deepEqual(readSignatureOrSeal('tg1s.broken', 'p'), { signature: { protocol: 'p', value: 'tg1s.broken' } });
});
