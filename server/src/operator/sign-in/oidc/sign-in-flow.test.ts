import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openStore } from '../../../store/open-store.ts';
import type { Store } from '../../../store/store.ts';
import { makeOperatorApp } from '../../testing/operator-app.ts';
import { assertFailed, type OidcWorld, sessionOf, startOidcWorld, withIssuer } from '../../testing/oidc-flow.ts';

// What depends on the store is tried on both of them, in ../../nouns/oidc.test.ts.
const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-oidc-'));
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

test('people who may not come in see why, and get no session', async () => {
  const { signIn, failures, call } = await withIssuer(world, store);
  for (const [person, reason] of [
    ['eve', 'unknown_person'],
    ['unverified', 'unverified_email'],
    ['silent', 'unverified_email'],
    ['unknown', 'no_email'],
    ['nobody', 'cancelled'],
  ] as const) {
    assertFailed(await signIn(person), reason);
    assert.equal(failures.at(-1)?.[0], reason);
  }
  assert.deepEqual((await call('GET', '/operators')).body.data, [], 'nobody was made an operator');
});

test('an address that stands only in the user info is found there', async () => {
  const { signIn, failures } = await withIssuer(world, store);
  world.issuer.emailIn = 'userinfo';
  try {
    assert.notEqual(sessionOf(await signIn('ann')), undefined, String(failures));
    assertFailed(await signIn('unverified'), 'unverified_email');
  } finally {
    world.issuer.emailIn = 'token';
  }
});

test('a public client has PKCE alone', async () => {
  const open = await startOidcWorld({ isPublic: true });
  try {
    const flow = await withIssuer(open, store, { clientSecret: undefined });
    assert.notEqual(sessionOf(await flow.signIn('ann')), undefined, String(flow.failures));
  } finally {
    await open.stop();
  }
});

test('a sign-in belongs to the browser that began it, and to its ten minutes', async () => {
  const { begin, comeBack, bare, secretBox } = await withIssuer(world, store);
  const [mine, other] = [await begin(), await begin()];
  assertFailed(await comeBack('ann', { ...mine, cookie: other.cookie }), 'expired');
  assertFailed(await comeBack('ann', { ...mine, cookie: '' }), 'expired');
  const forged = secretBox.seal(JSON.stringify({ state: mine.address.searchParams.get('state') }));
  assertFailed(await comeBack('ann', { ...mine, cookie: `tollgate_oidc=${forged}` }), 'expired');
  assertFailed(await comeBack('ann', { ...mine, cookie: `${mine.cookie}x` }), 'expired');
  assertFailed(await bare('GET', '/session/oidc/callback'), 'expired');
  assert.notEqual(sessionOf(await comeBack('ann', mine)), undefined, 'its own browser');
  const late = await begin();
  world.clock.move(601);
  assertFailed(await comeBack('ann', late), 'expired');
});

test('the cookie on the way is sealed, short-lived, and sent only to the way back', async () => {
  const { bare, begin } = await withIssuer(world, store);
  const { headers } = await bare('GET', '/session/oidc/start', undefined, { 'x-forwarded-proto': 'https' });
  const cookie = String(headers['set-cookie']);
  for (const attribute of [
    'HttpOnly',
    'SameSite=Lax',
    'Max-Age=600',
    'Secure',
    'Path=/operator/v1/session/oidc/callback',
  ])
    assert.ok(cookie.includes(attribute), attribute);
  const { address } = await begin();
  for (const name of ['state', 'nonce']) assert.ok(!cookie.includes(address.searchParams.get(name) ?? ''), name);
  assert.equal(address.searchParams.get('code_challenge_method'), 'S256');
  assert.equal(address.searchParams.get('redirect_uri'), 'http://localhost/operator/v1/session/oidc/callback');
});

test('a code is good once, and a token that answers another sign-in is refused', async () => {
  const { begin, comeBack, bare, failures } = await withIssuer(world, store);
  const begun = await begin();
  world.issuer.moreClaims = { nonce: 'of another sign-in' };
  try {
    assertFailed(await comeBack('ann', begun), 'invalid');
  } finally {
    world.issuer.moreClaims = {};
  }
  const state = begun.address.searchParams.get('state') ?? '';
  const { cookie } = begun;
  const replay = await bare('GET', `/session/oidc/callback?state=${state}&code=used`, undefined, { cookie });
  assertFailed(replay, 'expired');
  assert.match(failures.at(-1)?.[1] ?? '', /invalid_grant/);
  const mixed = await bare('GET', `/session/oidc/callback?state=${state}&code=x&iss=https://evil.example`, undefined, {
    cookie,
  });
  assertFailed(mixed, 'invalid');
});

test('metadata and keys are kept; keys that the issuer has changed are fetched again', async () => {
  const { signIn } = await withIssuer(world, store);
  await signIn('ann');
  const before = world.issuer.asked.length;
  assert.notEqual(sessionOf(await signIn('ann')), undefined);
  assert.deepEqual(world.issuer.asked.slice(before), ['/choose', '/token']);
  world.issuer.rotateKey();
  const later = await withIssuer(world, store);
  assert.notEqual(sessionOf(await later.signIn('ann')), undefined);
});

test('metadata that speaks of another issuer, or leads to unsafe places, is not used', async () => {
  const whole = world.issuer.metadata;
  const hostile = [
    { issuer: 'https://evil.example' },
    { token_endpoint: 'http://evil.example/token' },
    { jwks_uri: 'http://169.254.169.254/keys' },
  ];
  try {
    for (const more of hostile) {
      world.issuer.metadata = { ...whole, ...more };
      const { bare } = await withIssuer(world, store);
      assertFailed(await bare('GET', '/session/oidc/start'), 'unreachable');
    }
    world.issuer.metadata = { ...whole, token_endpoint: 'https://127.0.0.1:1/token' };
    const flow = await withIssuer(world, store);
    assertFailed(await flow.signIn('ann'), 'unreachable');
    assert.match(flow.failures[0]?.[1] ?? '', /not a public address/, 'other hosts on this machine are not called');
  } finally {
    world.issuer.metadata = whole;
  }
});

test('a slash at the end of the issuer is no difference, and stands in tokens as published; nothing else may differ', async () => {
  const whole = world.issuer.metadata;
  const at = (path: string) => `${world.issuer.url}${path}`;
  try {
    for (const [given, published, isGood] of [
      [at('/realm'), at('/realm/'), true],
      [at('/realm/'), at('/realm'), true],
      [at('/realm'), at('/Realm'), false],
      [at('/realm'), at('/realm//'), false],
      [at('/realm'), at(''), false],
    ] as const) {
      world.issuer.metadata = { ...whole, issuer: published };
      world.issuer.moreClaims = { iss: published };
      world.issuer.isSilentAboutItself = true;
      const { bare, signIn, failures } = await withIssuer(world, store, { issuer: given });
      if (isGood) assert.notEqual(sessionOf(await signIn('ann')), undefined, String(failures));
      else assertFailed(await bare('GET', '/session/oidc/start'), 'unreachable');
    }
  } finally {
    Object.assign(world.issuer, { metadata: whole, moreClaims: {}, isSilentAboutItself: false });
  }
});

test('an issuer that is away, or does not know the client, is the reason that people see', async () => {
  const away = await withIssuer(world, store, { issuer: 'http://127.0.0.1:1' });
  assertFailed(await away.bare('GET', '/session/oidc/start'), 'unreachable');
  const wrong = await withIssuer(world, store, { clientSecret: 'not the secret' });
  assertFailed(await wrong.signIn('ann'), 'refused');
  assert.match(wrong.failures[0]?.[1] ?? '', /status 401, "invalid_client"/);
  assert.doesNotMatch(JSON.stringify([wrong.failures, away.failures]), /not the secret|unheard of/);
});

test('failed tries of an address are counted, and good ones are not', async () => {
  const { signIn, comeBack, begin, failures } = await withIssuer(world, store);
  world.clock.move(15 * 60); // the store remembers the failures of the tests before
  for (let count = 0; count < 35; count++) assert.notEqual(sessionOf(await signIn('ann')), undefined);
  for (let count = 0; count < 30; count++) assertFailed(await signIn('eve'), 'unknown_person');
  const begun = await begin();
  const before = world.issuer.asked.length;
  assertFailed(await comeBack('ann', begun), 'throttled');
  assert.deepEqual(world.issuer.asked.slice(before), ['/choose'], 'the issuer was not asked');
  assert.equal(failures.at(-1)?.[0], 'throttled');
  world.clock.move(15 * 60);
  assert.notEqual(sessionOf(await signIn('ann')), undefined);
});

test('people come back to where they wanted to go, at the address that the settings name', async () => {
  const publicUrl = 'https://gw.example/prefix';
  const { begin, comeBack, bare } = await withIssuer(world, store, { publicUrl });
  const ways = (await bare('GET', '/session/ways')).body;
  const start_url = `${publicUrl}/operator/v1/session/oidc/start`;
  assert.deepEqual(ways, { oidc: { name: 'Example', start_url } });
  const begun = await begin('?to=%2Ftokens%3Fstatus%3Denabled');
  assert.equal(begun.address.searchParams.get('redirect_uri'), `${publicUrl}/operator/v1/session/oidc/callback`);
  const answer = await comeBack('ann', begun);
  assert.equal(answer.headers['location'], `${publicUrl}/console/tokens?status=enabled`);
  assert.match(String(answer.headers['set-cookie']), /tollgate_oidc=; [^,]*Path=\/prefix\/operator/);
  const failed = await comeBack('eve', await begin('?to=/tokens'));
  assert.equal(failed.headers['location'], `${publicUrl}/console/tokens?sign_in=unknown_person`);
});

test('without an issuer there is no such way, and what is wrong in a call is named', async () => {
  const { bare } = await makeOperatorApp(store);
  assert.deepEqual((await bare('GET', '/session/ways')).body, { oidc: null });
  for (const path of ['/session/oidc/start', '/session/oidc/callback']) {
    const answer = await bare('GET', path);
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'not_found']);
  }
  const flow = await withIssuer(world, store);
  const answer = await flow.bare('GET', '/session/oidc/start?too=/tokens');
  assert.deepEqual([answer.status, answer.body.error.param], [400, 'too']);
  const host = await flow.bare('GET', '/session/oidc/start', undefined, { host: 'a:b:c' });
  assert.deepEqual([host.status, host.body.error.param], [400, 'host']);
});
