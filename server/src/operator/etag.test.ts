// Changes made upon what was read (contract-2 10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../testing/stores.ts';
import { makeOperatorApp } from './testing/operator-app.ts';

onEveryStore((open) => {
  test('a change upon an old etag is 412 and changes nothing, for every resource (contract-2 10)', async () => {
    const { call } = await makeOperatorApp(await open());
    const account = (await call('POST', '/accounts', { name: 'Acme' })).body;
    const token = (await call('POST', '/tokens', { account_id: account.id, name: 'app' })).body;
    const fields = { provider: 'openai', base_url: 'https://api.example.com/v1' };
    const channel = (await call('POST', '/channels', { name: 'c', ...fields })).body;
    await call('POST', '/operators', { name: 'root', password: 'long enough 1', role: 'admin' });
    const operator = (await call('POST', '/operators', { name: 'eve', password: 'long enough 1', role: 'viewer' }))
      .body;
    const key = (await call('POST', '/operator-keys', { name: 'k', role: 'viewer' })).body;
    for (const [method, path, change] of [
      ['PATCH', `/accounts/${account.id}`, { name: 'Other' }],
      ['PATCH', `/tokens/${token.id}`, { name: 'other' }],
      ['PATCH', `/channels/${channel.id}`, { weight: 7 }],
      ['PATCH', `/operators/${operator.id}`, { role: 'admin' }],
      ['PATCH', `/operator-keys/${key.id}`, { role: 'metrics' }],
      ['PUT', '/groups/vip', { multiplier: '2' }],
      ['PUT', '/flags/beta', { enabled: true }],
      ['PUT', '/models/m', { owned_by: 'x', endpoint_types: ['rerank'], price: null }],
    ] as const) {
      if (method === 'PUT')
        assert.equal((await call('PUT', path, path.includes('groups') ? {} : change)).status, 201, path);
      if (path === '/flags/beta') await call('PUT', path, { enabled: false });
      if (path === '/models/m') await call('PUT', path, { ...change, owned_by: 'y' });
      const list = (await call('GET', path.slice(0, path.lastIndexOf('/')))).body.data;
      const { etag } = list.find((one: Record<string, string>) => path.endsWith(`/${one['id'] ?? one['name']}`));
      const old = { 'if-match': `"${etag}"` };
      const changed = await call(method, path, change, old);
      assert.equal(changed.status, 200, path);
      assert.notEqual(changed.body.etag, etag);
      assert.equal(changed.headers['etag'], `"${changed.body.etag}"`);
      const refused = await call(method, path, { ...change, ...(method === 'PATCH' && { status: 'disabled' }) }, old);
      assert.equal(refused.status, 412, path);
      assert.equal(refused.body.error.code, 'precondition_failed');
      const again = (await call('GET', path.slice(0, path.lastIndexOf('/')))).body.data;
      const now = again.find((one: Record<string, string>) => path.endsWith(`/${one['id'] ?? one['name']}`));
      assert.equal(now.etag, changed.body.etag, path);
      assert.equal((await call(method, path, change, { 'if-match': '*' })).status, 200);
    }
    assert.equal((await call('DELETE', '/flags/beta', undefined, { 'if-match': '"old"' })).status, 412);
    assert.equal((await call('DELETE', '/models/m', undefined, { 'if-match': '"old"' })).status, 412);
    assert.equal((await call('DELETE', `/channels/${channel.id}`, undefined, { 'if-match': '"old"' })).status, 412);
    assert.equal((await call('DELETE', `/tokens/${token.id}`, undefined, { 'if-match': '"old"' })).status, 412);
    assert.equal(
      (await call('PUT', '/models/new', { owned_by: 'x', endpoint_types: ['rerank'] }, { 'if-match': '*' })).status,
      412,
    );
  });

  test('members, webhooks and new keys of tokens are changed upon what was read, too (contract-2 10)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const { id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    const members = `/accounts/${id}/members`;
    const member = (await call('POST', members, { email: 'ann@example.com', role: 'owner' })).body;
    const own = `${members}/${member.id}`;
    const old = { 'if-match': '"old"' };
    const webhook = `/accounts/${id}/webhook`;
    const hook = (await call('PUT', webhook, { url: 'https://hooks.example.com/a' })).body;
    const token = (await call('POST', '/tokens', { account_id: id, name: 'app' })).body;
    for (const [method, path, body] of [
      ['PATCH', own, { role: 'viewer' }],
      ['POST', `${own}/invite`, undefined],
      ['DELETE', own, undefined],
      ['PUT', webhook, { url: 'https://hooks.example.com/b' }],
      ['DELETE', webhook, undefined],
      ['POST', `/tokens/${token.id}/rotate`, {}],
    ] as const)
      assert.equal((await call(method, path, body, old)).status, 412, `${method} ${path}`);
    const read = await call('GET', own);
    assert.deepEqual([read.body.role, read.body.etag], ['owner', member.etag]);
    assert.equal(read.headers['etag'], `"${member.etag}"`);
    assert.equal((await call('GET', members)).body.data[0].etag, member.etag);
    await store.transaction((transaction) =>
      transaction.updateTable('members').set({ status: 'active' }).where('id', '=', member.id).execute(),
    );
    assert.equal(
      (await call('GET', own)).body.etag,
      member.etag,
      'the member accepting the invite is no change of an operator',
    );
    const changed = await call('PATCH', own, { role: 'viewer' }, { 'if-match': `"${member.etag}"` });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.body.etag, member.etag);
    assert.equal((await call('GET', webhook)).body.etag, hook.etag);
    const rotated = await call('PUT', webhook, { rotate_secret: true }, { 'if-match': `"${hook.etag}"` });
    assert.notEqual(rotated.body.etag, hook.etag, 'a new secret is a change');
    assert.equal((await call('PUT', webhook, {}, { 'if-match': `"${hook.etag}"` })).status, 412);
    const now = { 'if-match': `"${token.etag}"` };
    assert.equal((await call('POST', `/tokens/${token.id}/rotate`, {}, now)).status, 200);
  });

  test('money that moves leaves the etag as it is, and the audit log has none (contract-2 10)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id, etag } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    await call('POST', `/accounts/${id}/credits`, { amount: '5', note: 'x' });
    const { body } = await call('GET', `/accounts/${id}`);
    assert.equal(body.balance, '5');
    assert.equal(body.etag, etag);
    assert.doesNotMatch(JSON.stringify((await call('GET', '/audit')).body), /etag/);
  });
});
