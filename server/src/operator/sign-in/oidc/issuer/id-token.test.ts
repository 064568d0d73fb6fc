import assert from 'node:assert/strict';
import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { OidcFailure } from '../oidc-failure.ts';
import { checkIdToken, type IdTokenClaims, type IdTokenExpectations } from './id-token.ts';
import type { IssuerKey } from './signature.ts';

const AT = 1_760_000_000;
const CLAIMS = {
  iss: 'https://id.example',
  sub: 'person-1',
  aud: 'tollgate',
  iat: AT,
  exp: AT + 300,
  nonce: 'nonce-1',
  email: 'ann@example.com',
  email_verified: true,
};

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const edwards = generateKeyPairSync('ed25519');

function jwk(key: KeyObject, more: object = {}): IssuerKey {
  return { ...key.export({ format: 'jwk' }), kty: key.export({ format: 'jwk' }).kty ?? '', ...more };
}

const KEYS: IssuerKey[] = [
  { kty: 'RSA', kid: 'broken', n: 'AQAB' },
  jwk(rsa.publicKey, { kid: 'rsa', use: 'sig' }),
  jwk(curve.publicKey, { kid: 'curve', alg: 'ES256' }),
  jwk(edwards.publicKey, { kid: 'edwards' }),
];

type Signer = (content: Buffer) => Buffer;
const signers = {
  RS256: (content) => sign('sha256', content, rsa.privateKey),
  PS256: (content) =>
    sign('sha256', content, {
      key: rsa.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  ES256: (content) => sign('sha256', content, { key: curve.privateKey, dsaEncoding: 'ieee-p1363' }),
  EdDSA: (content) => sign(null, content, edwards.privateKey),
} satisfies Record<string, Signer>;

function makeToken(claims: object, head: object, signer: Signer): string {
  const content = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${signer(Buffer.from(content)).toString('base64url')}`;
}

const good = (more: object = {}, head: object = { alg: 'RS256', kid: 'rsa' }): string =>
  makeToken({ ...CLAIMS, ...more }, head, signers.RS256);

function check(token: string, more: Partial<IdTokenExpectations> = {}): Promise<IdTokenClaims> {
  const { iss: issuer, aud: clientId, nonce } = CLAIMS;
  return checkIdToken(token, { issuer, clientId, nonce, at: AT, keys: async () => KEYS, ...more });
}

async function assertRefused(token: string, sentence: RegExp, more?: Partial<IdTokenExpectations>): Promise<void> {
  await assert.rejects(check(token, more), (error) => {
    assert.ok(error instanceof OidcFailure, String(error));
    assert.equal(error.reason, 'invalid');
    assert.match(error.message, sentence);
    return true;
  });
}

describe('signatures', () => {
  test('RS256, PS256, ES256 and EdDSA are accepted, with and without the name of the key', async () => {
    for (const [alg, signer] of Object.entries(signers)) {
      const kid = { RS256: 'rsa', PS256: 'rsa', ES256: 'curve', EdDSA: 'edwards' }[alg];
      for (const head of [{ alg, kid }, { alg }])
        assert.equal((await check(makeToken(CLAIMS, head, signer))).sub, 'person-1', alg);
    }
  });

  test('a token whose content was changed afterwards is refused', async () => {
    const [head, , signature] = good().split('.');
    const [, claims] = good({ email: 'eve@example.com' }).split('.');
    await assertRefused(`${head}.${claims}.${signature}`, /signed by no key/);
  });

  test('a token signed by somebody else is refused, also when it names a key of the issuer', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = makeToken(CLAIMS, { alg: 'RS256', kid: 'rsa' }, (content) =>
      sign('sha256', content, other.privateKey),
    );
    await assertRefused(token, /signed by no key/);
    await assertRefused(good({}, { alg: 'RS256', kid: 'edwards' }), /signed by no key/);
  });

  test('a token without a signature is refused ("alg": "none")', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = makeToken(CLAIMS, { alg }, () => Buffer.alloc(0));
      await assertRefused(unsigned, /algorithm that is not accepted/);
    }
    await assertRefused(
      makeToken(CLAIMS, { alg: 'RS256' }, () => Buffer.alloc(0)),
      /signed by no key/,
    );
  });

  test('a public key does not pass for a shared secret (HS256)', async () => {
    for (const secret of [rsa.publicKey.export({ type: 'spki', format: 'pem' }), JSON.stringify(KEYS[1])]) {
      const token = makeToken(CLAIMS, { alg: 'HS256', kid: 'rsa' }, (content) =>
        createHmac('sha256', secret).update(content).digest(),
      );
      await assertRefused(token, /algorithm that is not accepted/);
    }
  });

  test('keys for another purpose or another algorithm, and weak ones, do not count', async () => {
    const spoiled: [IssuerKey, Signer][] = [
      [jwk(rsa.publicKey, { use: 'enc' }), signers.RS256],
      [jwk(rsa.publicKey, { alg: 'PS256' }), signers.RS256],
      [jwk(weak.publicKey), (content) => sign('sha256', content, weak.privateKey)],
    ];
    for (const [key, signer] of spoiled) {
      const token = makeToken(CLAIMS, { alg: 'RS256' }, signer);
      await assertRefused(token, /signed by no key/, { keys: async () => [key] });
    }
  });

  test('critical extensions are refused, because none is known (RFC 7515, section 4.1.11)', async () => {
    await assertRefused(good({}, { alg: 'RS256', kid: 'rsa', crit: ['exp'] }), /critical/);
  });

  test('what is no token at all is refused', async () => {
    for (const text of ['', 'a.b.c', '..', `${good()}.more`, good().split('.').slice(0, 1).join('.')])
      await assertRefused(text, /is not a signed JSON web token|signed by no key/);
    await assertRefused(makeToken(['no object'], { alg: 'RS256' }, signers.RS256), /lacks a good/);
  });
});

describe('changes of keys', () => {
  test('the keys are fetched anew once when none of the known ones fits', async () => {
    const asked: string[] = [];
    const keys = async (freshness: string): Promise<IssuerKey[]> => {
      asked.push(freshness);
      return freshness === 'known' ? [jwk(edwards.publicKey, { kid: 'old' })] : KEYS;
    };
    assert.equal((await check(good(), { keys })).sub, 'person-1');
    assert.deepEqual(asked, ['known', 'fresh']);
  });

  test('and no more than once, nor while a known one fits', async () => {
    const asked: string[] = [];
    const counted = (known: IssuerKey[]) => async (freshness: string) => {
      asked.push(freshness);
      return known;
    };
    await assertRefused(good(), /signed by no key/, { keys: counted([]) });
    assert.deepEqual(asked.splice(0), ['known', 'fresh']);
    await check(good(), { keys: counted(KEYS) });
    assert.deepEqual(asked, ['known']);
  });
});

describe('claims (OpenID Connect Core 1.0, section 3.1.3.7)', () => {
  const refused: [string, object, RegExp][] = [
    ['another issuer', { iss: 'https://id.example.evil' }, /another issuer/],
    ['no issuer', { iss: undefined }, /"iss"/],
    ['another audience', { aud: 'other' }, /another client/],
    ['no audience', { aud: [] }, /another client/],
    ['several audiences without a party', { aud: ['tollgate', 'other'] }, /given to another client/],
    ['several audiences and another party', { aud: ['tollgate', 'other'], azp: 'other' }, /given to another client/],
    ['another party', { azp: 'other' }, /given to another client/],
    ['another nonce', { nonce: 'nonce-2' }, /another sign-in/],
    ['no nonce', { nonce: undefined }, /another sign-in/],
    ['a time that is over', { exp: AT - 60 }, /is over/],
    ['no end', { exp: undefined }, /"exp"/],
    ['an end in words', { exp: '2999-01-01' }, /"exp"/],
    ['a beginning in the future', { iat: AT + 61 }, /of the future/],
    ['no beginning', { iat: undefined }, /"iat"/],
    ['a time that has not come', { nbf: AT + 61 }, /of the future/],
    ['nobody', { sub: '' }, /"sub"/],
  ];
  for (const [what, claims, sentence] of refused) {
    test(`a token with ${what} is refused`, () => assertRefused(good(claims), sentence));
  }

  test('clocks may be a minute apart', async () => {
    await check(good({ exp: AT - 59, iat: AT - 360 }));
    await check(good({ iat: AT + 60, nbf: AT + 60 }));
  });

  test('several audiences are good with the right party', async () => {
    await check(good({ aud: ['other', 'tollgate'], azp: 'tollgate' }));
  });

  test('only a boolean says that an address is verified', async () => {
    for (const word of ['true', 1, {}])
      assert.equal((await check(good({ email_verified: word }))).email_verified, undefined);
    assert.equal((await check(good({ email_verified: false }))).email_verified, false);
    assert.equal((await check(good())).email_verified, true);
  });
});
