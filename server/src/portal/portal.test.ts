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
    const limits = {
      models: ['orion-*'],
      quota: '5',
      rate: { rpm: 10, tpm: null, concurrency: null },
      ip_allow: ['10.0.0.0/8', '2001:db8::/32'],
    };
    const made = { account_id: owner.account, name: 'limited', ...limits };
    const { body: token } = await operator.call('POST', '/tokens', made);
    const change = (patch: object) => call('PATCH', `/tokens/${token.id}`, patch, owner.who);
    const looser = [
      [{ quota: null }, 'quota'],
      [{ quota: '6' }, 'quota'],
      [{ quota_period: 'day' }, 'quota_period'],
      [{ models: null }, 'models'],
      [{ rate: { rpm: 11 } }, 'rate.rpm'],
      [{ ip_allow: ['10.0.0.0/7'] }, 'ip_allow'],
      [{ ip_allow: [] }, 'ip_allow'],
    ] as const;
    for (const [patch, field] of looser) {
      const { status, body } = await change(patch);
      assert.deepEqual([status, body.error?.param], [403, field], JSON.stringify(patch));
      assert.ok(body.error.message.startsWith(`An operator set "${field}"`), body.error.message);
    }
    const ip_allow = ['10.1.0.0/16', '2001:db8::1'];
    const stricter = { name: 'less', quota: '4', models: ['orion-mini'], rate: { rpm: 9 }, ip_allow };
    assert.equal((await change(stricter)).status, 200);
    assert.equal((await change({ quota: '5' })).status, 403, 'the operator’s limit stays one');
    // What the owner adds is the owner's.
    assert.equal((await change({ origins: ['https://app.example'], status: 'disabled' })).status, 200);
    assert.equal((await change({ origins: [], status: 'enabled' })).status, 200);
    await operator.call('PATCH', `/tokens/${token.id}`, { status: 'disabled' });
    assert.equal((await change({ status: 'enabled' })).status, 403);
  });

  test('a member lifts no limit of theirs that an operator or the owner set (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('owner@a.example', { role: 'owner' });
    const member = await join('member@a.example', {}, owner.account);
    const limits = {
      models: ['orion-*'],
      ip_allow: ['10.0.0.0/8'],
      origins: ['https://a.example'],
      quota: '5',
      quota_period: 'day',
      rate: { rpm: 10, tpm: 1000, concurrency: 2 },
      expires_at: 1_900_000_000,
    };
    const none = { models: null, ip_allow: [], origins: [], quota: null, rate: null, expires_at: null };
    const { body: token } = await call('POST', '/tokens', { name: 'mine', ...limits }, member.who);
    const path = `/tokens/${token.id}`;
    const asOperator = (patch: object) => operator.call('PATCH', path, patch);
    const asOwner = (patch: object) => call('PATCH', path, patch, owner.who);
    const asMaker = (patch: object) => call('PATCH', path, patch, member.who);
    const fields = Object.entries(none);
    const refusals = async (as: typeof asMaker) => {
      const refused: string[] = [];
      for (const [field, value] of fields) if ((await as({ [field]: value })).status === 403) refused.push(field);
      return refused;
    };
    // A form sends every field: those that stay as they are stay the maker's.
    assert.equal((await asOperator({ ...limits, name: 'named', quota: '4', rate: { rpm: 9 } })).status, 200);
    assert.deepEqual(await refusals(asOwner), ['quota', 'rate']);
    assert.equal((await asOwner(limits)).status, 403);
    assert.equal((await asOwner({ ...limits, quota: '3', rate: { rpm: 8 } })).status, 200);
    assert.equal((await asMaker({ quota: '4' })).status, 403, 'stricter by the owner, and still the operator’s');
    assert.equal((await asMaker({ quota_period: 'month' })).status, 403, 'a new period counts from zero');
    const byOwner = await asMaker({ models: null });
    assert.equal(byOwner.status, 403);
    assert.match(byOwner.body.error.message, /^An owner of the account set "models"/);
    assert.equal((await asOperator({ quota: null, rate: null })).status, 200);
    assert.equal((await asMaker({ quota: '9', rate: { rpm: 90 } })).status, 200, 'the operator has lifted them');
    assert.equal((await asMaker({ quota: null, rate: null })).status, 200);
    assert.equal((await asOwner(none)).status, 200);
    assert.equal((await asOperator(limits)).status, 200);
    assert.deepEqual(await refusals(asMaker), Object.keys(none));
    assert.deepEqual(await refusals(asOwner), Object.keys(none));
  });

  test('a token is enabled by who disabled it, or by somebody above (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('owner@a.example', { role: 'owner' });
    const member = await join('member@a.example', {}, owner.account);
    const { body: token } = await call('POST', '/tokens', { name: 'mine' }, member.who);
    const path = `/tokens/${token.id}`;
    const ranks = [
      (status: string) => call('PATCH', path, { status }, member.who),
      (status: string) => call('PATCH', path, { status }, owner.who),
      (status: string) => operator.call('PATCH', path, { status }),
    ];
    const messages = [/^$/, /^An owner of the account disabled this token/, /^An operator disabled this token/];
    for (const [by, disable] of ranks.entries())
      for (const [as, enable] of ranks.entries()) {
        assert.equal((await disable('disabled')).status, 200);
        // Disabling it once more does not make it one's own.
        if (as < by) assert.equal((await enable('disabled')).status, 200);
        const { status, body } = await enable('enabled');
        assert.equal(status, as < by ? 403 : 200, `disabled by ${by}, enabled by ${as}`);
        if (as < by) assert.match(body.error.message, messages[by] ?? /^$/);
        await operator.call('PATCH', path, { status: 'enabled' });
      }
    await ranks[0]?.('disabled');
    await ranks[2]?.('disabled');
    assert.equal((await ranks[0]?.('enabled'))?.status, 403, 'an operator disabled it once more');
  });

  test('a token that has ended is neither enabled nor given a new key (contract-2 10)', async () => {
    const { operator, call, join } = await open(await openStore());
    const owner = await join('owner@a.example', { role: 'owner' });
    const member = await join('member@a.example', {}, owner.account);
    const make = async () => (await call('POST', '/tokens', { name: 'mine' }, member.who)).body.id as string;
    for (const end of [
      (path: string) => operator.call('DELETE', path),
      (path: string) => call('DELETE', path, undefined, owner.who),
      (path: string) => call('DELETE', path, undefined, member.who),
    ]) {
      const path = `/tokens/${await make()}`;
      assert.equal((await end(path)).status, 204);
      for (const { who } of [owner, member])
        for (const refused of [
          await call('PATCH', path, { status: 'enabled', quota: null }, who),
          await call('POST', `${path}/rotate`, {}, who),
        ]) {
          assert.equal(refused.status, 409, JSON.stringify(refused.body));
          assert.match(refused.body.error.message, /^The token has ended/);
        }
      assert.equal((await call('PATCH', path, { name: 'ended' }, member.who)).status, 200);
      // Nothing is beyond the operator.
      await operator.call('PATCH', path, { status: 'enabled' });
      assert.equal((await call('POST', `${path}/rotate`, {}, member.who)).status, 409, 'without a key');
      assert.equal((await operator.call('POST', `${path}/rotate`, {})).status, 200);
      assert.equal((await call('POST', `${path}/rotate`, {}, member.who)).status, 200);
    }
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
