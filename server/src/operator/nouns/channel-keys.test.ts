import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { type Call, makeOperatorApp } from '../testing/operator-app.ts';

const KEYS = ['sk-upstream-fixture-key-0001', 'sk-upstream-fixture-key-0002'];
const THIRD = 'sk-upstream-fixture-key-0003';
const least = { name: 'main', provider: 'openai', base_url: 'https://upstream.example/v1', models: { m: 'm' } };

type Key = { id: string; hint: string; status: string };

async function makeChannel(call: Call): Promise<{ id: string; etag: string; keys: [Key, Key] }> {
  return (await call('POST', '/channels', { ...least, keys: KEYS })).body;
}

onEveryStore((open) => {
  test('a key is added to those that are there, which keep their ids; one that is there is refused (issue 34)', async () => {
    const { call, store, secretBox } = await makeOperatorApp(await open());
    const made = await makeChannel(call);
    const added = await call('POST', `/channels/${made.id}/keys`, { keys: [THIRD] });
    assert.equal(added.status, 201);
    assert.deepEqual(added.body.keys.slice(0, 2), made.keys);
    assert.deepEqual(
      added.body.keys.map(({ hint, status }: Key) => [hint, status]),
      ['0001', '0002', '0003'].map((end) => [`sk-...${end}`, 'enabled']),
    );
    const again = await call('POST', `/channels/${made.id}/keys`, { keys: ['new-key', THIRD] });
    assert.deepEqual([again.status, again.body.error.param], [409, 'keys[1]']);
    const rows = await store.reads.selectFrom('channel_keys').selectAll().orderBy('position').execute();
    assert.deepEqual(
      rows.map((row) => secretBox.open(row.ciphertext)),
      [...KEYS, THIRD],
    );
    const audit = await store.reads.selectFrom('audit').select(['action', 'detail']).orderBy('id', 'desc').execute();
    assert.equal(audit[0]?.action, 'channel.change');
    assert.ok(!JSON.stringify(audit).includes(THIRD));
  });

  test('a key is disabled, enabled and removed alone; the last one stays (issue 34)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id, keys } = await makeChannel(call);
    const [first, second] = keys;
    const off = await call('PATCH', `/channels/${id}/keys/${first.id}`, { status: 'disabled' });
    assert.deepEqual(off.body.keys, [{ ...first, status: 'disabled' }, second]);
    const on = await call('PATCH', `/channels/${id}/keys/${first.id}`, { status: 'enabled' });
    assert.deepEqual(on.body.keys, keys);
    const removed = await call('DELETE', `/channels/${id}/keys/${first.id}`);
    assert.deepEqual([removed.status, removed.body.keys], [200, [second]]);
    assert.equal((await call('DELETE', `/channels/${id}/keys/${first.id}`)).status, 404);
    assert.equal((await call('PATCH', `/channels/${id}/keys/${first.id}`, { status: 'disabled' })).status, 404);
    const last = await call('DELETE', `/channels/${id}/keys/${second.id}`);
    assert.deepEqual([last.status, last.body.error.code], [409, 'conflict']);
  });

  test('a key of another channel is not found by this one', async () => {
    const { call } = await makeOperatorApp(await open());
    const { keys } = await makeChannel(call);
    const other = (await call('POST', '/channels', { ...least, name: 'other', keys: KEYS })).body;
    const [first] = keys;
    assert.equal((await call('DELETE', `/channels/${other.id}/keys/${first.id}`)).status, 404);
    assert.equal((await call('PATCH', `/channels/${other.id}/keys/${first.id}`, { status: 'disabled' })).status, 404);
  });

  test('a change of keys upon an old etag is refused with 412, and changes the etag itself (contract-2 10)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id, etag, keys } = await makeChannel(call);
    const path = `/channels/${id}/keys/${keys[0].id}`;
    const changed = await call('PATCH', path, { status: 'disabled' }, { 'if-match': `"${etag}"` });
    assert.notEqual(changed.body.etag, etag);
    for (const [method, at, body] of [
      ['PATCH', path, { status: 'enabled' }],
      ['DELETE', path, undefined],
      ['POST', `/channels/${id}/keys`, { keys: [THIRD] }],
    ] as const)
      assert.equal((await call(method, at, body, { 'if-match': `"${etag}"` })).status, 412, method);
  });

  test('a channel whose keys are all disabled is down, not healthy (contract 2)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id, keys } = await makeChannel(call);
    await call('POST', `/channels/${id}/test`, { model: 'm' });
    for (const key of keys) await call('PATCH', `/channels/${id}/keys/${key.id}`, { status: 'disabled' });
    assert.equal((await call('GET', `/channels/${id}`)).body.health.state, 'down');
    await call('PATCH', `/channels/${id}/keys/${keys[0].id}`, { status: 'enabled' });
    assert.equal((await call('GET', `/channels/${id}`)).body.health.state, 'healthy');
  });

  test('a channel is cloned with its sealed keys and settings, disabled and under its own name (issue 34)', async () => {
    const { call, store, secretBox } = await makeOperatorApp(await open());
    const made = (
      await call('POST', '/channels', { ...least, keys: KEYS, headers: { 'x-team': 'a secret value of the header' } })
    ).body;
    await call('PATCH', `/channels/${made.id}/keys/${made.keys[1].id}`, { status: 'disabled' });
    assert.equal((await call('POST', `/channels/${made.id}/clone`, { name: 'main' })).status, 409);
    const { status, body } = await call('POST', `/channels/${made.id}/clone`, { name: 'copy' });
    assert.equal(status, 201);
    const alike = ['provider', 'base_url', 'models', 'headers', 'options', 'priority', 'weight', 'groups'];
    assert.deepEqual(
      alike.map((field) => body[field]),
      alike.map((field) => made[field]),
    );
    assert.deepEqual([body.name, body.status], ['copy', 'disabled']);
    assert.deepEqual(
      body.keys.map((key: Key) => key.status),
      ['enabled', 'disabled'],
    );
    const rows = await store.reads
      .selectFrom('channel_keys')
      .selectAll()
      .where('channel_id', '=', body.id)
      .orderBy('position')
      .execute();
    assert.deepEqual(
      rows.map((row) => secretBox.open(row.ciphertext)),
      KEYS,
    );
    assert.equal((await call('POST', '/channels/chn_none/clone', { name: 'x' })).status, 404);
  });
});
