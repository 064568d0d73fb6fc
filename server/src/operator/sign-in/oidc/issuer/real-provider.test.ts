// The whole sign-in against a certified OpenID provider, and against one in the shape of Microsoft Entra ID.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openStore } from '../../../../store/open-store.ts';
import type { Store } from '../../../../store/store.ts';
import type { Answer } from '../../../testing/operator-app.ts';
import {
  assertFailed,
  type OidcWorld,
  PEOPLE,
  sessionOf,
  startOidcWorld,
  withIssuer,
} from '../../../testing/oidc-flow.ts';
import { startRealProvider } from '../../../testing/real-provider.ts';
import type { IssuerClient } from './issuer-fetch.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-oidc-real-'));
let store: Store;
let world: OidcWorld;

before(async () => {
  world = await startOidcWorld({ now: Date.now() });
  store = await openStore({ databaseUrl: undefined, dataFolder });
});

after(async () => {
  await world.stop();
  await store.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const redirectUri = 'http://localhost/operator/v1/session/oidc/callback';

for (const [authMethod, algorithm] of [
  ['client_secret_basic', 'RS256'],
  ['client_secret_post', 'ES256'],
  ['none', 'PS256'],
] as const)
  test(`a certified provider signs people in: ${authMethod}, ${algorithm}, PKCE required`, async () => {
    const provider = await startRealProvider({ people: PEOPLE, redirectUri, authMethod, algorithm });
    try {
      const flow = await withIssuer(world, store, {
        issuer: provider.url,
        ...(authMethod === 'none' && { clientSecret: undefined }),
      });
      const signIn = async (person: string): Promise<Answer> => {
        const { cookie, address } = await flow.begin();
        const { search } = await provider.signIn(address, person);
        return flow.bare('GET', `/session/oidc/callback${search}`, undefined, { cookie });
      };
      const cookie = sessionOf(await signIn('ann'));
      assert.notEqual(cookie, undefined, String(flow.failures));
      const me = (await flow.bare('GET', '/session', undefined, { cookie: cookie ?? '' })).body;
      assert.deepEqual([me.name, me.role], ['ann@example.com', 'admin']);
      assertFailed(await signIn('unverified'), 'unverified_email');
      assertFailed(await signIn('nobody'), 'cancelled');
    } finally {
      await provider.stop();
    }
  });

describe('Microsoft Entra ID (issue 33)', () => {
  const TENANT = '11111111-2222-3333-4444-55555555aaaa';
  const OTHER = '99999999-2222-3333-4444-55555555aaaa';
  const MICROSOFT = 'https://login.microsoftonline.com';

  /** Microsoft's addresses, answered by the issuer of the tests. */
  const asMicrosoft = (): IssuerClient => ({
    call: (call) => {
      const url = call.url.replace(/^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0/, world.issuer.url);
      return world.client.call({ ...call, url, own: { baseUrl: world.issuer.url } });
    },
  });

  async function signIn(
    issuer: string,
    { published = issuer, claims, tenants = [] }: { published?: string; claims: object; tenants?: string[] },
  ): Promise<{ answer: Answer; failure: string | undefined }> {
    const { issuer: server } = world;
    const { metadata } = server;
    server.metadata = { ...metadata, issuer: published };
    server.moreClaims = { ...claims };
    try {
      const flow = await withIssuer(world, store, { issuer, client: asMicrosoft(), tenants });
      const begun = await flow.begin();
      assert.equal(begun.address.searchParams.get('scope'), 'openid email profile');
      server.isSilentAboutItself = true; // it sends no "iss" along
      return { answer: await flow.comeBack('unknown', begun), failure: flow.failures[0]?.[1] };
    } finally {
      Object.assign(server, { metadata, moreClaims: {}, isSilentAboutItself: false });
    }
  }

  const issued = (tid: string, more: object = {}): object => ({ iss: `${MICROSOFT}/${tid}/v2.0`, tid, ...more });
  const ann = { preferred_username: 'Ann@example.com' };

  test('people of one tenant come in by the name in their directory', async () => {
    const { answer, failure } = await signIn(`${MICROSOFT}/${TENANT}/v2.0`, { claims: issued(TENANT, ann) });
    assert.notEqual(sessionOf(answer), undefined, failure);
  });

  test('an issuer of every organisation publishes a template; the tenant of the token fills it', async () => {
    const common = { published: `${MICROSOFT}/{tenantid}/v2.0`, tenants: [TENANT] };
    const good = await signIn(`${MICROSOFT}/organizations/v2.0`, { ...common, claims: issued(TENANT, ann) });
    assert.notEqual(sessionOf(good.answer), undefined, good.failure);
    const other = await signIn(`${MICROSOFT}/organizations/v2.0`, { ...common, claims: issued(OTHER, ann) });
    assertFailed(other.answer, 'unknown_person');
    assert.match(other.failure ?? '', /99999999.* is not in TOLLGATE_OIDC_TENANTS/);
    const lying = { ...issued(OTHER, ann), tid: TENANT };
    assertFailed((await signIn(`${MICROSOFT}/common/v2.0`, { ...common, claims: lying })).answer, 'invalid');
  });

  test('an e-mail address counts only where Microsoft says that the owner of its domain vouches for it', async () => {
    const issuer = `${MICROSOFT}/${TENANT}/v2.0`;
    const stranger = { preferred_username: 'eve@evil.example', email: 'ann@example.com' };
    assertFailed((await signIn(issuer, { claims: issued(TENANT, stranger) })).answer, 'unknown_person');
    for (const xms_edov of [true, 1, '1', 'true']) {
      const { answer } = await signIn(issuer, { claims: issued(TENANT, { ...stranger, xms_edov }) });
      assert.notEqual(sessionOf(answer), undefined, String(xms_edov));
    }
    for (const xms_edov of [false, 0, '0', 'yes'])
      assertFailed(
        (await signIn(issuer, { claims: issued(TENANT, { ...stranger, xms_edov }) })).answer,
        'unknown_person',
      );
  });

  test('guests, whom another directory signs in, stay out', async () => {
    const issuer = `${MICROSOFT}/${TENANT}/v2.0`;
    for (const guest of [{ idp: `https://sts.windows.net/${OTHER}/` }, { acct: 1 }])
      assertFailed((await signIn(issuer, { claims: issued(TENANT, { ...ann, ...guest }) })).answer, 'unverified_email');
    assertFailed((await signIn(issuer, { claims: issued(TENANT) })).answer, 'no_email');
  });

  test('a token of another tenant is refused where the issuer names one', async () => {
    const { answer } = await signIn(`${MICROSOFT}/${TENANT}/v2.0`, { claims: issued(OTHER, ann) });
    assertFailed(answer, 'invalid');
  });
});
