import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { keyPairJwt } from './key-pair-jwt.ts';
import type { SignedHeaders } from './sign.ts';

const request = { method: 'GET', origin: 'https://v.example', path: '/', headers: {}, body: null } as const;
const sign = (credential: string, ms: number): string =>
  (keyPairJwt(request, credential, { now: () => ms }, { baseUrl: 'https://v.example', options: {} }) as SignedHeaders)[
    'authorization'
  ] ?? '';
const claimsOf = (header: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('one key is sent as it is, and no key as none', () => {
  assert.equal(sign('plain-key', 0), 'Bearer plain-key');
  assert.equal(sign('', 0), '');
});

test('a pair signs a token of half an hour: issuer, end and beginning (Kling, authentication)', () => {
  for (const credential of ['access-1:secret:with:colons', 'access-1|secret:with:colons']) {
    const header = sign(credential, 1_800_000_000_000);
    const [head = '', claims = '', signature] = header.replace(/^Bearer /, '').split('.');
    assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { alg: 'HS256', typ: 'JWT' });
    assert.deepEqual(claimsOf(header), { iss: 'access-1', exp: 1_800_001_800, nbf: 1_799_999_995 });
    const wanted = createHmac('sha256', 'secret:with:colons').update(`${head}.${claims}`).digest('base64url');
    assert.equal(signature, wanted);
  }
});

test('a token is kept until a minute is left of it, and not used when the clock was set back', () => {
  const at = 1_900_000_000_000;
  const first = sign('a:b', at);
  assert.equal(sign('a:b', at + 1_740_000), first);
  assert.notEqual(sign('a:b', at + 1_741_000), first);
  assert.equal(claimsOf(sign('a:b', at - 60_000))['exp'], at / 1000 - 60 + 1_800);
  assert.notEqual(sign('a:c', at), first);
});
