// ID tokens that must not let anybody in, sent by an issuer over real HTTP: what the library refuses, and that it is asked to.
import assert from 'node:assert/strict';
import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openStore } from '../../../../store/open-store.ts';
import type { Store } from '../../../../store/store.ts';
import {
  assertFailed,
  type Flow,
  type OidcWorld,
  sessionOf,
  startOidcWorld,
  withIssuer,
} from '../../../testing/oidc-flow.ts';
import { type GoodToken, signToken } from '../../../testing/oidc-issuer.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-oidc-attacks-'));
let store: Store;
let world: OidcWorld;

before(async () => {
  world = await startOidcWorld();
  store = await openStore({ databaseUrl: undefined, dataFolder });
});

after(async () => {
  await world.stop();
  await store.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function withToken<T>(
  given: { forge?: (good: GoodToken) => string; keys?: object[]; algorithms?: string[] },
  run: (flow: Flow) => Promise<T>,
): Promise<T> {
  const { issuer } = world;
  const { metadata } = issuer;
  issuer.forge = given.forge;
  issuer.keys = given.keys;
  if (given.algorithms !== undefined)
    issuer.metadata = { ...metadata, id_token_signing_alg_values_supported: given.algorithms };
  world.clock.move(15 * 60); // failures before are counted no more
  try {
    return await run(await withIssuer(world, store));
  } finally {
    Object.assign(issuer, { forge: undefined, keys: undefined, metadata });
  }
}

async function assertRefused(given: Parameters<typeof withToken>[0], sentence?: RegExp): Promise<void> {
  await withToken(given, async (flow) => {
    assertFailed(await flow.signIn('ann'), 'invalid');
    if (sentence !== undefined) assert.match(flow.failures[0]?.[1] ?? '', sentence);
    assert.doesNotMatch(JSON.stringify(flow.failures), /eyJ/, 'no token in the log');
  });
}

const jwk = (key: KeyObject, more: object = {}): object => ({ ...key.export({ format: 'jwk' }), ...more });

describe('signatures', () => {
  test('the algorithms that the issuer names are accepted', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const edwards = generateKeyPairSync('ed25519');
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    const signers: [string, KeyObject, (content: Buffer) => Buffer][] = [
      ['RS256', rsa.publicKey, (content) => sign('sha256', content, rsa.privateKey)],
      ['PS256', rsa.publicKey, (content) => sign('sha256', content, { key: rsa.privateKey, ...padding })],
      [
        'ES256',
        curve.publicKey,
        (content) => sign('sha256', content, { key: curve.privateKey, dsaEncoding: 'ieee-p1363' }),
      ],
      ['EdDSA', edwards.publicKey, (content) => sign(null, content, edwards.privateKey)],
    ];
    for (const [alg, key, signer] of signers) {
      const forge = (good: GoodToken): string => signToken({ ...good, head: { alg, kid: 'k' } }, signer);
      const given = { forge, keys: [jwk(key, { kid: 'k' })], algorithms: [alg] };
      await withToken(given, async ({ signIn, failures }) =>
        assert.notEqual(sessionOf(await signIn('ann')), undefined, `${alg} ${String(failures)}`),
      );
    }
  });

  test('a token whose content was changed afterwards is refused', () =>
    assertRefused({
      forge: (good) => {
        const [head, , signature] = signToken(good).split('.');
        const [, claims] = signToken({ ...good, claims: { ...good.claims, email: 'ann@example.com' } }).split('.');
        return `${head}.${claims}.${signature}`;
      },
    }));

  test('a token signed by another key is refused, also when it names a key of the issuer', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await assertRefused({ forge: (good) => signToken({ ...good, privateKey }) });
    await assertRefused({ forge: (good) => signToken({ ...good, head: { alg: 'RS256', kid: 'other' } }) });
  });

  test('a token without a signature is refused ("alg": "none"), also where the issuer names it', async () => {
    for (const alg of ['none', 'None', ''])
      await assertRefused({
        forge: (good) => signToken({ ...good, head: { alg } }, () => Buffer.alloc(0)),
        algorithms: ['RS256', alg],
      });
    await assertRefused({ forge: (good) => signToken(good, () => Buffer.alloc(0)) });
  });

  test('a public key does not pass for a shared secret (HS256), also where the issuer names it', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const secret of [publicKey.export({ type: 'spki', format: 'pem' }), 'secret of the client: 100%'])
      await assertRefused({
        forge: (good) =>
          signToken({ ...good, head: { alg: 'HS256', kid: 'k' } }, (content) =>
            createHmac('sha256', secret).update(content).digest(),
          ),
        keys: [jwk(publicKey, { kid: 'k' })],
        algorithms: ['RS256', 'HS256'],
      });
  });

  test('keys for another purpose or another algorithm, and weak ones, do not count', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const spoiled: [object, KeyObject][] = [
      [jwk(rsa.publicKey, { use: 'enc' }), rsa.privateKey],
      [jwk(rsa.publicKey, { alg: 'PS256' }), rsa.privateKey],
      [jwk(weak.publicKey), weak.privateKey],
    ];
    for (const [key, privateKey] of spoiled)
      await assertRefused({ forge: (good) => signToken({ ...good, privateKey, head: { alg: 'RS256' } }), keys: [key] });
  });

  test('critical extensions are refused, because none is known (RFC 7515, section 4.1.11)', () =>
    assertRefused({ forge: (good) => signToken({ ...good, head: { ...good.head, crit: ['exp'] } }) }, /crit/));

  test('what is no token at all is refused', async () => {
    for (const text of ['a.b.c', '..', 'x', 'a.b.c.d']) await assertRefused({ forge: () => text });
    await assertRefused({ forge: (good) => signToken({ ...good, claims: ['no object'] as never }) });
  });
});

describe('claims (OpenID Connect Core 1.0, section 3.1.3.7)', () => {
  const refused: [string, (claims: Record<string, unknown>) => object][] = [
    ['another issuer', () => ({ iss: 'https://id.example.evil' })],
    ['no issuer', () => ({ iss: undefined })],
    ['another audience', () => ({ aud: 'other' })],
    ['no audience', () => ({ aud: [] })],
    ['several audiences without a party', ({ aud }) => ({ aud: [aud, 'other'] })],
    ['several audiences and another party', ({ aud }) => ({ aud: [aud, 'other'], azp: 'other' })],
    ['another party', () => ({ azp: 'other' })],
    ['another nonce', () => ({ nonce: 'of another sign-in' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['a time that is over', ({ iat }) => ({ exp: Number(iat) - 61 })],
    ['no end', () => ({ exp: undefined })],
    ['an end in words', () => ({ exp: '2999-01-01' })],
    ['no beginning', () => ({ iat: undefined })],
    ['a time that has not come', ({ iat }) => ({ nbf: Number(iat) + 90 })],
    ['no subject', () => ({ sub: undefined })],
    ['an empty subject', () => ({ sub: '' })],
  ];
  for (const [what, change] of refused)
    test(`a token with ${what} is refused`, () =>
      assertRefused({ forge: (good) => signToken({ ...good, claims: { ...good.claims, ...change(good.claims) } }) }));

  test('clocks may be a minute apart', () =>
    withToken(
      {
        forge: (good) => {
          const { iat } = good.claims;
          return signToken({ ...good, claims: { ...good.claims, nbf: Number(iat) + 50, exp: Number(iat) - 50 } });
        },
      },
      async ({ signIn, failures }) => assert.notEqual(sessionOf(await signIn('ann')), undefined, String(failures)),
    ));

  test('only a boolean says that an address is verified', async () => {
    for (const word of ['true', 1, {}])
      await withToken(
        { forge: (good) => signToken({ ...good, claims: { ...good.claims, email_verified: word } }) },
        async ({ signIn }) => assertFailed(await signIn('unverified'), 'unverified_email'),
      );
  });
});
