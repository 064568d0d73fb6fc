// The portal API on a real store (contract-2 10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../testing/stores.ts';
import { makePortalApp as open, PASSWORD } from './testing/portal-app.ts';

onEveryStore((openStore) => {
  test('an invite is accepted once, and the member signs in and out (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const { account, member, who } = await join('Ann@Example.com', { role: 'owner' });
    assert.equal(member.email, 'ann@example.com');
    assert.equal(member.status, 'invited');
    assert.match(member.invite.link, /^https:\/\/tollgate\.example\/portal\/#invite=/);
    assert.equal(
      (await call('POST', '/invites/accept', { token: member.invite.token, password: PASSWORD })).status,
      400,
    );
    assert.deepEqual((await call('GET', '/session', undefined, who)).body.email, 'ann@example.com');
    const listed = (await operator.call('GET', `/accounts/${account}/members`)).body.data;
    assert.deepEqual([listed.length, listed[0].status], [1, 'active']);

    assert.equal((await call('POST', '/session', { email: 'ann@example.com', password: 'wrong one' })).status, 401);
    assert.equal((await call('POST', '/session', { email: 'nobody@example.com', password: PASSWORD })).status, 401);
    const again = await call('POST', '/session', { email: 'ANN@example.com', password: PASSWORD });
    assert.equal(again.status, 201);
    assert.equal(
      (await call('DELETE', '/session', undefined, { cookie: again.cookie })).status,
      403,
      'without the CSRF token',
    );
    assert.equal(
      (await call('DELETE', '/session', undefined, { cookie: again.cookie, csrf: again.body.csrf_token })).status,
      204,
    );
    assert.equal((await call('GET', '/session', undefined, { cookie: again.cookie })).status, 401);
    assert.equal(
      (await operator.call('POST', `/accounts/${account}/members`, { email: 'ann@example.com' })).status,
      409,
    );

    await operator.call('PATCH', `/accounts/${account}/members/${member.id}`, { status: 'disabled' });
    assert.equal((await call('GET', '/session', undefined, who)).status, 401);
    assert.equal((await call('POST', '/session', { email: 'ann@example.com', password: PASSWORD })).status, 401);
  });

  test('a member who is removed, or may only look, while the request comes in makes no token (promise A-13)', async () => {
    const store = await openStore();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const late: typeof store.transaction = async (work) => {
      const first = meanwhile;
      meanwhile = undefined;
      await first?.();
      return store.transaction(work);
    };
    const { operator, call, join } = await open(
      new Proxy(store, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (name === 'transaction') return late;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
    const [removed, demoted] = [await join('gone@a.example', { role: 'owner' }), await join('looks@b.example')];
    const pathOf = ({ account, member }: typeof removed) => `/accounts/${account}/members/${member.id}`;
    meanwhile = () => operator.call('DELETE', pathOf(removed));
    assert.equal((await call('POST', '/tokens', { name: 'late' }, removed.who)).status, 401);
    meanwhile = () => operator.call('PATCH', pathOf(demoted), { role: 'viewer' });
    assert.equal((await call('POST', '/tokens', { name: 'late' }, demoted.who)).status, 403);
    assert.deepEqual((await operator.call('GET', '/tokens')).body.data, []);
  });

  test('tokens: an owner has all, a member their own, a viewer none; nobody those of others (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('owner@a.example', { role: 'owner' });
    const member = await join('member@a.example', {}, owner.account);
    const viewer = await join('viewer@a.example', { role: 'viewer' }, owner.account);
    const stranger = await join('owner@b.example', { role: 'owner' });
    const made = await call('POST', '/tokens', { name: 'mine', quota: '5' }, member.who);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.match(made.body.key, /^sk-/);
    assert.equal(made.body.account_id, undefined);
    const ofOwner = (await call('POST', '/tokens', { name: 'of the owner' }, owner.who)).body;
    const names = async (who: { cookie: string }) =>
      (await call('GET', '/tokens', undefined, who)).body.data.map(({ name }: { name: string }) => name).toSorted();
    assert.deepEqual(await names(owner.who), ['mine', 'of the owner']);
    assert.deepEqual(await names(member.who), ['mine']);
    assert.deepEqual(await names(viewer.who), ['mine', 'of the owner']);
    assert.deepEqual(await names(stranger.who), []);
    assert.equal((await call('POST', '/tokens', { name: 'x' }, viewer.who)).status, 403);
    assert.equal((await call('PATCH', `/tokens/${ofOwner.id}`, { name: 'x' }, member.who)).status, 404);
    for (const [method, path] of [
      ['PATCH', `/tokens/${ofOwner.id}`],
      ['POST', `/tokens/${ofOwner.id}/rotate`],
      ['DELETE', `/tokens/${ofOwner.id}`],
    ] as const)
      assert.equal(
        (await call(method, path, method === 'PATCH' ? { name: 'x' } : undefined, stranger.who)).status,
        404,
        path,
      );
    for (const more of [{ group: 'vip' }, { account_id: stranger.account }, { options: {} }, { key: 'my-own-key' }])
      assert.equal(
        (await call('POST', '/tokens', { name: 'x', ...more }, owner.who)).status,
        400,
        JSON.stringify(more),
      );
    const upon = { ...owner.who, etag: 'old' };
    assert.equal((await call('PATCH', `/tokens/${made.body.id}`, { name: 'x' }, upon)).status, 412);
    assert.equal((await call('POST', `/tokens/${made.body.id}/rotate`, {}, upon)).status, 412);
    assert.equal((await call('DELETE', `/tokens/${made.body.id}`, undefined, upon)).status, 412);
    const seen = { ...owner.who, etag: made.body.etag };
    assert.equal((await call('PATCH', `/tokens/${made.body.id}`, { name: 'seen' }, seen)).status, 200);
    assert.equal((await call('POST', `/tokens/${made.body.id}/rotate`, {}, owner.who)).status, 200);

    const { member: row } = member;
    assert.equal((await operator.call('DELETE', `/accounts/${owner.account}/members/${row.id}`)).status, 204);
    assert.equal((await operator.call('GET', `/tokens/${made.body.id}`)).body.status, 'disabled');
    assert.equal((await operator.call('GET', `/accounts/${stranger.account}/members/${row.id}`)).status, 404);
  });

  test('limits of a token that an operator made are made stricter, never looser (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('owner@a.example', { role: 'owner' });
    const limits = { models: ['orion-*'], quota: '5', rate: { rpm: 10, tpm: null, concurrency: null } };
    const made = { account_id: owner.account, name: 'limited', ...limits };
    const { body: token } = await operator.call('POST', '/tokens', made);
    const change = (id: string, patch: object) => call('PATCH', `/tokens/${id}`, patch, owner.who);
    const looser = [{ quota: null }, { quota: '6' }, { quota_period: 'day' }, { models: null }, { rate: { rpm: 11 } }];
    for (const patch of looser) {
      const { status, body } = await change(token.id, patch);
      assert.equal(status, 403, JSON.stringify(patch));
      assert.match(
        body.error.message,
        /An operator made this token: "(quota|quota_period|models|rate\.rpm)" can only be/,
      );
    }
    const stricter = { name: 'less', quota: '4', models: ['orion-mini'], rate: { rpm: 9 }, status: 'disabled' };
    assert.equal((await change(token.id, stricter)).status, 200);
    assert.equal((await change(token.id, { status: 'enabled' })).status, 403);
    const { body: own } = await call('POST', '/tokens', { name: 'own', quota: '1' }, owner.who);
    assert.equal((await change(own.id, { quota: null, status: 'disabled' })).status, 200);
    assert.equal((await change(own.id, { status: 'enabled' })).status, 200);
  });

  test('an owner with a cap takes the key of no token that the cap does not bind (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('capped@a.example', { role: 'owner', cap: { amount: '5', period: 'month' } });
    const member = await join('member@a.example', {}, owner.account);
    const byOperator = (await operator.call('POST', '/tokens', { account_id: owner.account, name: 'of the operator' }))
      .body;
    const byMember = (await call('POST', '/tokens', { name: 'of the member' }, member.who)).body;
    const own = (await call('POST', '/tokens', { name: 'own' }, owner.who)).body;
    for (const { id } of [byOperator, byMember]) {
      const { status, body } = await call('POST', `/tokens/${id}/rotate`, {}, owner.who);
      assert.equal(status, 403, JSON.stringify(body));
      assert.match(body.error.message, /cap/);
    }
    assert.equal((await call('POST', `/tokens/${own.id}/rotate`, {}, owner.who)).status, 200);
    assert.equal((await call('PATCH', `/tokens/${byMember.id}`, { status: 'disabled' }, owner.who)).status, 200);
    assert.equal((await call('DELETE', `/tokens/${byOperator.id}`, undefined, owner.who)).status, 204);
  });

  test('a member of any role changes the password, and every other session ends (contract-2 10)', async () => {
    const { call, join } = await open(await openStore());
    const { who } = await join('vera@example.com', { role: 'viewer' });
    const other = await call('POST', '/session', { email: 'vera@example.com', password: PASSWORD });
    const change = (current: string, next: string, as: { cookie: string; csrf?: string } = who) =>
      call('POST', '/session/password', { current_password: current, new_password: next }, as);
    const refused = [
      await change('not it', 'another good one'),
      await change(PASSWORD, PASSWORD),
      await change(PASSWORD, 'short'),
      await change(PASSWORD, 'another good one', { cookie: who.cookie }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.error?.param ?? null]),
      [
        [400, 'current_password'],
        [400, 'new_password'],
        [400, 'new_password'],
        [403, null],
      ],
    );
    const changed = await change(PASSWORD, 'another good one');
    assert.deepEqual([changed.status, changed.body.email], [201, 'vera@example.com']);
    for (const cookie of [who.cookie, other.cookie])
      assert.equal((await call('GET', '/session', undefined, { cookie })).status, 401);
    assert.equal((await call('GET', '/session', undefined, { cookie: changed.cookie })).status, 200);
    assert.equal((await call('POST', '/session', { email: 'vera@example.com', password: PASSWORD })).status, 401);
  });

  test('a code is redeemed once, into the ledger (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const ann = await join('ann@example.com', { role: 'owner' });
    const bob = await join('bob@example.com', { role: 'owner' });
    const { data } = (await operator.call('POST', '/codes', { amount: '12.50', count: 3 })).body;
    assert.equal(data.length, 3);
    const tries = await Promise.all(
      [ann, bob, ann].map(({ who }) => call('POST', '/codes/redeem', { code: data[0].code }, who)),
    );
    assert.deepEqual(
      tries.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 400, 400],
    );
    const balances = await Promise.all(
      [ann, bob].map(async ({ who }) => (await call('GET', '/account', undefined, who)).body.balance as string),
    );
    assert.deepEqual(balances.toSorted(), ['0', '12.5']);
    const { data: entries } = (await operator.call('GET', '/ledger')).body;
    assert.deepEqual([entries.length, entries[0].amount, entries[0].kind], [1, '12.5', 'credit']);
    assert.equal((await operator.call('DELETE', `/codes/${data[0].id}`)).status, 409);
    assert.equal((await operator.call('DELETE', `/codes/${data[1].id}`)).status, 204);
    assert.equal((await call('POST', '/codes/redeem', { code: data[1].code }, ann.who)).status, 400);
    assert.deepEqual((await operator.call('GET', '/codes?redeemed=true')).body.data.length, 1);
    assert.doesNotMatch(JSON.stringify((await operator.call('GET', '/codes')).body), /"code":/);
    const old = (await operator.call('POST', '/codes', { amount: '1', expires_at: 1_600_000_000 })).body.data[0];
    assert.equal((await call('POST', '/codes/redeem', { code: old.code }, ann.who)).status, 400);
  });

  test('account, usage, requests, tasks and statement are those of the own account (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const ann = await join('ann@example.com', { cap: { amount: '5', period: 'month' } });
    await operator.call('POST', `/accounts/${ann.account}/credits`, { amount: '3', note: 'x' });
    const account = (await call('GET', '/account', undefined, ann.who)).body;
    assert.deepEqual([account.id, account.balance, account.currency], [ann.account, '3', 'EUR']);
    assert.deepEqual(account.cap, { amount: '5', period: 'month', used: '0' });
    for (const path of ['/usage?by=model', '/requests', '/tasks', '/statement'])
      assert.equal((await call('GET', path, undefined, ann.who)).status, 200, path);
    for (const path of [
      '/usage?account_id=acc_1',
      '/requests?account_id=acc_1',
      '/requests?channel_id=c',
      '/usage?by=channel',
    ])
      assert.equal((await call('GET', path, undefined, ann.who)).status, 400, path);
    assert.equal((await call('GET', '/statement', undefined, ann.who)).body.closing_balance, '3');
    for (const path of ['/account', '/usage', '/requests', '/tasks', '/statement', '/tokens'])
      assert.equal((await call('GET', path)).status, 401, path);
  });
});
