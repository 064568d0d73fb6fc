// Members sign in to the portal through an OpenID Connect issuer (contract-2 10), and what others try there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { knowIssuer, type OidcWorld, PEOPLE, startOidcWorld } from '../operator/testing/oidc-flow.ts';
import { startTestIssuer } from '../operator/testing/oidc-issuer.ts';
import { startRealProvider } from '../operator/testing/real-provider.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { makePortalApp, PASSWORD } from './testing/portal-app.ts';

const START = '/portal/v1/session/oidc/start';
const CALLBACK = '/portal/v1/session/oidc/callback';

let world: OidcWorld;
before(async () => {
  world = await startOidcWorld({ now: Date.now() });
});
after(() => world.stop());

interface Begun {
  cookie: string;
  address: URL;
}

async function open(store: Store, options: Parameters<typeof knowIssuer>[1] = {}) {
  const { oidc, failures } = knowIssuer(world, options);
  const portal = await makePortalApp(store, { oidc, clock: world.clock });
  const { app, operator, call } = portal;
  const begin = async (query = ''): Promise<Begun> => {
    const { headers, cookies } = await app.inject(`${START}${query}`);
    const started = cookies.find(({ name }) => name === 'tollgate_oidc');
    return { cookie: `tollgate_oidc=${started?.value}`, address: new URL(String(headers.location)) };
  };
  /** What the issuer sends the browser back with. */
  const chosen = async (person: string, address: URL): Promise<string> => {
    const choice = new URL(address);
    choice.pathname = '/choose';
    choice.searchParams.set('person', person);
    const sent = await fetch(choice, { redirect: 'manual' });
    return new URL(sent.headers.get('location') ?? '').search;
  };
  const comeBack = async (search: string, cookie: string) => {
    const answer = await app.inject({ url: `${CALLBACK}${search}`, headers: { cookie } });
    const made = answer.cookies.find(({ name }) => name === 'tollgate_portal');
    return { location: answer.headers.location, session: made?.value, setCookie: String(answer.headers['set-cookie']) };
  };
  const signIn = async (person: string, claims: object = {}) => {
    const { cookie, address } = await begin();
    world.issuer.moreClaims = { ...claims };
    try {
      return await comeBack(await chosen(person, address), cookie);
    } finally {
      world.issuer.moreClaims = {};
    }
  };
  const emailOf = async (session: string | undefined): Promise<string> =>
    (await call('GET', '/session', undefined, { cookie: session ?? '' })).body.email;
  const account = async (name: string): Promise<string> => (await operator.call('POST', '/accounts', { name })).body.id;
  const inviteTo = async (accountId: string, email: string) =>
    (await operator.call('POST', `/accounts/${accountId}/members`, { email })).body;
  return { ...portal, failures, begin, chosen, comeBack, signIn, emailOf, account, inviteTo };
}

function assertRefused({ location, session }: { location: unknown; session: unknown }, reason: string): void {
  assert.deepEqual([location, session], [`http://localhost/portal/?sign_in=${reason}`, undefined]);
}

onEveryStore((openStore) => {
  test('a member whose address the issuer verified signs in to their own account, and the password still works (contract-2 10)', async () => {
    const { join, signIn, call, operator, failures } = await open(await openStore());
    const ann = await join('ann@example.com', { role: 'owner' });
    await join('bob@example.com');
    const { location, session, setCookie } = await signIn('ann');
    assert.equal(location, 'http://localhost/portal/', String(failures));
    assert.match(setCookie, /tollgate_portal=\w{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/);
    assert.match(setCookie, /tollgate_oidc=; [^,]*Path=\/portal\/v1\/session\/oidc\/callback/);
    const me = (await call('GET', '/session', undefined, { cookie: session ?? '' })).body;
    assert.deepEqual(
      [me.email, me.role, me.account_id, me.has_password],
      ['ann@example.com', 'owner', ann.account, true],
    );
    const { body } = await operator.call('GET', `/accounts/${ann.account}/members/${ann.member.id}`);
    assert.deepEqual(body.identity, { issuer: world.issuer.url, subject: 'ann' });
    assert.equal((await call('POST', '/session', { email: 'ann@example.com', password: PASSWORD })).status, 201);
    const audit = (await operator.call('GET', '/audit?action=member.sign_in')).body.data;
    assert.deepEqual(
      audit.map(({ detail }: { detail: { subject?: string } }) => detail.subject ?? null),
      [null, 'ann'],
    );
  });

  test('a pending invite is accepted by a sign-in with its address, which has no password then (contract-2 10)', async () => {
    const { account, inviteTo, signIn, call, operator } = await open(await openStore());
    const { id, account_id, invite } = await inviteTo(await account('one'), 'bob@example.com');
    const { session } = await signIn('bob');
    const me = await call('GET', '/session', undefined, { cookie: session ?? '' });
    assert.deepEqual([me.body.email, me.body.has_password], ['bob@example.com', false]);
    assert.equal((await operator.call('GET', `/accounts/${account_id}/members/${id}`)).body.status, 'active');
    assert.equal((await call('POST', '/invites/accept', { token: invite.token, password: PASSWORD })).status, 400);
    const changed = await call(
      'POST',
      '/session/password',
      { current_password: 'x', new_password: PASSWORD },
      { cookie: session ?? '', csrf: me.body.csrf_token },
    );
    assert.deepEqual([changed.status, changed.body.error.code], [409, 'conflict']);
  });

  test('who is unknown, unverified, disabled or invited too long ago is refused with the reason (contract-2 10)', async () => {
    const { account, inviteTo, join, signIn, operator, failures } = await open(await openStore());
    const ann = await join('ann@example.com');
    for (const [person, reason] of [
      ['eve', 'unknown_person'],
      ['unverified', 'unverified_email'],
      ['silent', 'unverified_email'],
      ['unknown', 'no_email'],
      ['nobody', 'cancelled'],
    ] as const) {
      assertRefused(await signIn(person), reason);
      assert.equal(failures.at(-1)?.[0], reason);
    }
    assertRefused(await signIn('ann', { email: '\u212Aim@example.com' }), 'unknown_person');
    const path = `/accounts/${ann.account}`;
    await operator.call('PATCH', path, { status: 'disabled' });
    assertRefused(await signIn('ann'), 'disabled');
    await operator.call('PATCH', path, { status: 'active' });
    await operator.call('PATCH', `${path}/members/${ann.member.id}`, { status: 'disabled' });
    assertRefused(await signIn('ann'), 'disabled');
    await operator.call('PATCH', `${path}/members/${ann.member.id}`, { status: 'active' });
    assert.notEqual((await signIn('ann')).session, undefined);
    await operator.call('DELETE', `${path}/members/${ann.member.id}`);
    assertRefused(await signIn('ann'), 'disabled');
    await inviteTo(await account('two'), 'bob@example.com');
    world.clock.move(8 * 86_400);
    try {
      assertRefused(await signIn('bob'), 'invite_expired');
    } finally {
      world.clock.move(-8 * 86_400);
    }
  });

  test('after the first sign-in issuer and subject decide, and no longer the address (contract-2 10)', async () => {
    const store = await openStore();
    const { join, signIn, emailOf, operator } = await open(store);
    const ann = await join('ann@example.com');
    await join('bob@example.com');
    assert.equal(await emailOf((await signIn('ann')).session), 'ann@example.com');
    assertRefused(await signIn('bob', { email: 'ann@example.com' }), 'other_identity');
    assertRefused(await signIn('eve', { email: 'Ann@Example.com', email_verified: true }), 'other_identity');
    const moved = await signIn('ann', { email: 'bob@example.com' });
    assert.equal(await emailOf(moved.session), 'ann@example.com', 'another address does not lead to its member');
    assertRefused(await signIn('ann', { email_verified: false }), 'unverified_email');

    const elsewhere = await startTestIssuer({ people: PEOPLE, now: world.clock.now });
    try {
      const other = await open(store, { issuer: elsewhere.url });
      assertRefused(await other.signIn('ann'), 'other_identity');
      await operator.call('POST', `/accounts/${ann.account}/members/${ann.member.id}/invite`);
      assert.equal(await other.emailOf((await other.signIn('ann')).session), 'ann@example.com', 'invited again');
      assertRefused(await signIn('ann'), 'other_identity');
    } finally {
      await elsewhere.stop();
    }
  });

  test('an address is a member of one account only, so that a sign-in has one meaning (contract-2 10)', async () => {
    const { join, account, operator, signIn, call } = await open(await openStore());
    const first = await join('ann@example.com');
    const second = await operator.call('POST', `/accounts/${await account('two')}/members`, {
      email: 'ANN@example.com',
    });
    assert.deepEqual([second.status, second.body.error.param], [409, 'email']);
    const { session } = await signIn('ann');
    const { body } = await call('GET', '/account', undefined, { cookie: session ?? '' });
    assert.equal(body.id, first.account);
  });

  test('a sign-in is good once, in the browser that began it, within ten minutes (contract-2 10)', async () => {
    const { join, begin, chosen, comeBack } = await open(await openStore());
    await join('ann@example.com');
    const [mine, other] = [await begin(), await begin()];
    const search = await chosen('ann', mine.address);
    assertRefused(await comeBack(search, other.cookie), 'expired');
    assertRefused(await comeBack(search, ''), 'expired');
    assertRefused(await comeBack('', mine.cookie), 'expired');
    assert.notEqual((await comeBack(search, mine.cookie)).session, undefined);
    assertRefused(await comeBack(search, mine.cookie), 'expired'); // the issuer takes a code once
    const late = await begin();
    const lateSearch = await chosen('ann', late.address);
    world.clock.move(601);
    assertRefused(await comeBack(lateSearch, late.cookie), 'expired');
    const mixed = await begin();
    const mixedSearch = (await chosen('ann', mixed.address)).replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example');
    assertRefused(await comeBack(mixedSearch, mixed.cookie), 'invalid');
    const answered = await begin();
    world.issuer.moreClaims = { nonce: 'of another sign-in' };
    try {
      assertRefused(await comeBack(await chosen('ann', answered.address), answered.cookie), 'invalid');
    } finally {
      world.issuer.moreClaims = {};
    }
    assert.equal(answered.address.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(answered.address.searchParams.get('redirect_uri'), `http://localhost${CALLBACK}`);
  });

  test('sign-ins and sessions of operators and members are never each other’s (contract-2 10)', async () => {
    const { join, begin, chosen, comeBack, signIn, operator, call } = await open(await openStore());
    await join('ann@example.com'); // an admin by the lists, too
    const begun = await begin();
    const search = await chosen('ann', begun.address);
    const crossed = await operator.bare('GET', `/session/oidc/callback${search}`, undefined, { cookie: begun.cookie });
    assert.equal(crossed.headers['location'], 'http://localhost/console/?sign_in=expired');

    const toConsole = await operator.bare('GET', '/session/oidc/start');
    const cookie = String(toConsole.headers['set-cookie']).split(';')[0] ?? '';
    const back = await chosen('ann', new URL(String(toConsole.headers['location'])));
    assertRefused(await comeBack(back, cookie), 'expired');
    const admin = await operator.bare('GET', `/session/oidc/callback${back}`, undefined, { cookie });
    const adminSession = /tollgate_session=(\w+)/.exec(String(admin.headers['set-cookie']))?.[1] ?? '';
    assert.notEqual(adminSession, '');
    assert.equal((await call('GET', '/account', undefined, { cookie: adminSession })).status, 401);

    const { session } = await signIn('ann');
    for (const name of ['tollgate_session', 'tollgate_portal'])
      assert.equal(
        (await operator.bare('GET', '/accounts', undefined, { cookie: `${name}=${session}` })).status,
        401,
        name,
      );
  });

  test('people come back to the page they wanted, and TOLLGATE_OIDC_PORTAL=off closes the way (contract-2 10)', async () => {
    const store = await openStore();
    const publicUrl = 'https://gw.example/prefix';
    const { join, begin, chosen, comeBack, call } = await open(store, { publicUrl });
    await join('ann@example.com');
    assert.deepEqual((await call('GET', '/session/ways')).body, {
      oidc: { name: 'Example', start_url: `${publicUrl}${START}` },
    });
    const begun = await begin('?to=%2Frequests%3Ffailed%3Dtrue');
    const { location } = await comeBack(await chosen('ann', begun.address), begun.cookie);
    assert.equal(location, `${publicUrl}/portal/requests?failed=true`);
    const hostile = await begin('?to=%2F..%2Fconsole');
    const away = await comeBack(await chosen('ann', hostile.address), hostile.cookie);
    assert.equal(away.location, `${publicUrl}/portal/`);
    const closed = await open(store, { portal: false });
    assert.deepEqual((await closed.call('GET', '/session/ways')).body, { oidc: null });
    for (const path of ['start', 'callback'])
      assert.equal((await closed.call('GET', `/session/oidc/${path}`)).status, 404);
    assert.equal((await closed.operator.bare('GET', '/session/ways')).body.oidc.name, 'Example');
  });

  test('a certified provider signs a member in (contract-2 10)', async () => {
    const redirectUri = `http://localhost${CALLBACK}`;
    const provider = await startRealProvider({
      people: PEOPLE,
      redirectUri,
      authMethod: 'client_secret_basic',
      algorithm: 'ES256',
    });
    try {
      const { join, begin, comeBack, emailOf, failures } = await open(await openStore(), { issuer: provider.url });
      await join('ann@example.com');
      const signIn = async (person: string) => {
        const { cookie, address } = await begin();
        return comeBack((await provider.signIn(address, person)).search, cookie);
      };
      assert.equal(await emailOf((await signIn('ann')).session), 'ann@example.com', String(failures));
      assertRefused(await signIn('unverified'), 'unverified_email');
      assertRefused(await signIn('eve'), 'unknown_person');
    } finally {
      await provider.stop();
    }
  });
});
