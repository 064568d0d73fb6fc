import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashAccessToken, makeAccessToken, maskAccessToken } from './access-token.ts';

test('a new token looks like sk- and 40 or more letters and digits (contract 5)', () => {
  const { key } = makeAccessToken();
  assert.match(key, /^sk-[0-9A-Za-z]{40,}$/);
  assert.notEqual(makeAccessToken().key, key);
});

test('only the hash and the hint of a token are kept, and neither gives it away', () => {
  const { key, keyHash, keyHint } = makeAccessToken();
  assert.match(keyHash, /^[0-9a-f]{64}$/);
  assert.equal(keyHash, hashAccessToken(key));
  assert.equal(keyHint, maskAccessToken(key));
  assert.equal(keyHint, `${key.slice(0, 5)}...${key.slice(-4)}`);
  assert.ok(!keyHash.includes(key.slice(3)));
});
