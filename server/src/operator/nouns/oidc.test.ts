import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { assertFailed, type OidcWorld, sessionOf, startOidcWorld, withIssuer } from '../testing/oidc-flow.ts';

let world: OidcWorld;
before(async () => {
  world = await startOidcWorld();
});
after(() => world.stop());

onEveryStore((open) => {
  test('people whom the lists name get a session of the usual kind, in the role that the lists say', async () => {
    const { bare, signIn, call } = await withIssuer(world, await open());
    for (const [person, name, role] of [
      ['ann', 'ann@example.com', 'admin'],
      ['bob', 'bob@example.com', 'viewer'],
    ] as const) {
      const answer = await signIn(person);
      assert.deepEqual([answer.status, answer.headers['location']], [302, 'http://localhost/console/']);
      const cookies = String(answer.headers['set-cookie']);
      assert.match(cookies, /tollgate_session=\w{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/);
      assert.match(
        cookies,
        /tollgate_oidc=; [^,]*Path=\/operator\/v1\/session\/oidc\/callback/,
        'the other one is gone',
      );
      const cookie = sessionOf(answer) ?? '';
      const me = (await bare('GET', '/session', undefined, { cookie })).body;
      assert.deepEqual([me.name, me.role, me.signed_in_by, me.must_change_password], [name, role, 'oidc', false]);
      const change = await bare('PUT', '/groups/g', {}, { cookie, 'x-csrf-token': me.csrf_token });
      assert.equal(change.status, role === 'admin' ? 201 : 403);
    }
    const { data } = (await call('GET', '/audit')).body;
    const entry = data.find(({ action }: { action: string }) => action === 'session.create');
    assert.equal(entry.operator, 'bob@example.com');
    assert.deepEqual(entry.detail, { signed_in_by: 'oidc', issuer: world.issuer.url, subject: 'bob' });
    assert.equal(data.filter(({ action }: { action: string }) => action === 'operator.create').length, 2);
  });

  test('the lists decide at every sign-in, also about operators who are there already', async () => {
    const store = await open();
    const first = await withIssuer(world, store);
    await first.signIn('ann');
    await first.call('POST', '/operators', { name: 'root', password: 'a password', role: 'admin' });
    const roleNow = async () => {
      const { data } = (await first.call('GET', '/operators')).body;
      return data.find(({ name }: { name: string }) => name === 'ann@example.com').role;
    };
    assert.equal(await roleNow(), 'admin');
    const second = await withIssuer(world, store, { people: { admins: [], viewers: ['ann@example.com'] } });
    assert.notEqual(sessionOf(await second.signIn('ann')), undefined);
    assert.equal(await roleNow(), 'viewer');
    const third = await withIssuer(world, store, { people: { admins: ['bob@example.com'], viewers: [] } });
    assertFailed(await third.signIn('ann'), 'unknown_person');
  });

  test('the last active admin is not made a viewer by the lists', async () => {
    const store = await open();
    await (await withIssuer(world, store)).signIn('ann');
    const flow = await withIssuer(world, store, { people: { admins: [], viewers: ['ann@example.com'] } });
    assertFailed(await flow.signIn('ann'), 'failed');
    assert.match(flow.failures[0]?.[1] ?? '', /last active admin/);
  });

  test('a disabled operator stays out, and nobody signs in with a password that was never given', async () => {
    const { signIn, call, bare } = await withIssuer(world, await open());
    await signIn('ann');
    await signIn('bob');
    const { data } = (await call('GET', '/operators')).body;
    const { id } = data.find(({ name }: { name: string }) => name === 'bob@example.com');
    assert.equal((await call('PATCH', `/operators/${id}`, { status: 'disabled' })).status, 200);
    assertFailed(await signIn('bob'), 'disabled');
    for (const password of ['undefined', 'null', 'ann'])
      assert.equal((await bare('POST', '/session', { name: 'ann@example.com', password })).status, 401);
  });

  test('operators with a password yet to be changed and a second factor need neither here', async () => {
    const store = await open();
    const { call, bare, signIn } = await withIssuer(world, store);
    const password = 'a given password';
    const { id } = (await call('POST', '/operators', { name: 'ann@example.com', password, role: 'admin' })).body;
    await store.transaction(async (transaction) => {
      await transaction.updateTable('operators').set({ totp_secret: 'sealed', totp_confirmed: 1 }).execute();
    });
    const cookie = sessionOf(await signIn('ann')) ?? '';
    assert.equal((await bare('GET', '/groups', undefined, { cookie })).status, 200);
    const { data } = (await bare('GET', '/operators', undefined, { cookie })).body;
    assert.deepEqual(
      [data.length, data[0].id, data[0].must_change_password],
      [1, id, true],
      'still asked for otherwise',
    );
  });

  test('the session that the browser had ends', async () => {
    const { signIn, begin, comeBack, bare } = await withIssuer(world, await open());
    const before = sessionOf(await signIn('bob')) ?? '';
    const answer = await comeBack('ann', await begin('', { cookie: before }));
    assert.notEqual(sessionOf(answer), undefined);
    assert.equal((await bare('GET', '/session', undefined, { cookie: before })).status, 401);
  });
});
