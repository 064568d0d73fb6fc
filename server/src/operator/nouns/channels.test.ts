import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { readChannelOptions } from '../../catalogue/channel-options.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { taskEnd, taskHold, taskRow } from '../../testing/task-rows.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const KEY = 'sk-upstream-fixture-key-0001';
const OTHER = 'sk-upstream-fixture-key-0002';
const least = { name: 'main', provider: 'openai', base_url: 'https://upstream.example/v1' };

onEveryStore((open) => {
  test('a channel is created with the defaults of the contract; keys come back as hints', async () => {
    const { call, store, secretBox } = await makeOperatorApp(await open());
    const made = await call('POST', '/channels', {
      ...least,
      keys: [KEY, 'short'],
      models: { 'gpt-4o': 'gpt-4o-2024' },
    });
    assert.equal(made.status, 201);
    const { id, keys, health, created_at: _, etag: _etag, ...rest } = made.body;
    assert.deepEqual([health.state, health.last_error, health.last_test], ['unknown', null, null]);
    assert.deepEqual(
      keys.map((key: { hint: string }) => key.hint),
      ['sk-...0001', '...'],
    );
    assert.deepEqual(rest, {
      ...least,
      models: { 'gpt-4o': 'gpt-4o-2024' },
      groups: null,
      priority: 0,
      weight: 1,
      status: 'enabled',
      headers: {},
      options: {
        connect_ms: 5000,
        first_byte_ms: 120000,
        idle_ms: 120000,
        total_ms: 600000,
        concurrency: null,
        rpm: null,
        drop_fields: [],
        speaks: null,
        archive: null,
        account_id: null,
        shared_objects: null,
        proxy: null,
        api_version: null,
        region: null,
        project: null,
        location: null,
        token_url: null,
      },
      sandbox: false,
    });
    assert.deepEqual((await call('GET', `/channels/${id}`)).body, made.body);
    assert.deepEqual((await call('GET', '/channels?provider=openai&status=enabled')).body.data, [made.body]);
    const rows = await store.reads.selectFrom('channel_keys').selectAll().orderBy('position').execute();
    assert.deepEqual(
      rows.map((row) => secretBox.open(row.ciphertext)),
      [KEY, 'short'],
    );
  });

  test('the last test of a channel is remembered, and no part of its audit (contract 2)', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, models: { m: 'm' } })).body;
    assert.equal((await call('POST', `/channels/${id}/test`, { model: 'm' })).status, 200);
    const { health } = (await call('GET', `/channels/${id}`)).body;
    const { at, ...test } = health.last_test;
    assert.deepEqual(test, { ok: true, status: 200, latency_ms: 12, model: 'm', message: `${id} m` });
    assert.ok(at > 0);
    assert.equal(health.state, 'healthy');
    assert.deepEqual((await call('GET', '/channels')).body.data[0].health, health);
    await call('PATCH', `/channels/${id}`, { weight: 3 });
    const audit = await store.reads.selectFrom('audit').select('detail').execute();
    assert.ok(!audit.some(({ detail }) => detail.includes('health')), JSON.stringify(audit));
    await call('DELETE', `/channels/${id}`);
    assert.deepEqual(await store.reads.selectFrom('channel_memory').selectAll().execute(), []);
  });

  test('a channel whose video tasks are not finished cannot be removed', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, keys: [KEY] })).body;
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    const rows = ['task_1', 'task_2'].map((task) => taskRow({ id: task, channel_id: id }));
    for (const row of rows) await store.commit(taskHold(row));
    const refused = await call('DELETE', `/channels/${id}`);
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
    assert.match(refused.body.error.message, /2 video tasks that are not finished/);
    for (const row of rows) await store.commit(taskEnd(row, null));
    assert.equal((await call('DELETE', `/channels/${id}`)).status, 204);
  });

  test('a patch changes only the given fields and options; keys replace all keys', async () => {
    const { call, store, secretBox } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, keys: [KEY], options: { rpm: 9 } })).body;
    const changed = await call('PATCH', `/channels/${id}`, {
      options: { idle_ms: 5, speaks: ['chat'] },
      weight: 3,
      headers: { 'x-team': 'a' },
      base_url: 'http://127.0.0.1:9/v1/',
    });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.options.rpm, 9);
    assert.equal(changed.body.options.idle_ms, 5);
    assert.deepEqual(changed.body.options.speaks, ['chat']);
    assert.equal(changed.body.base_url, 'http://127.0.0.1:9/v1');
    assert.equal(changed.body.keys.length, 1);
    const replaced = await call('PATCH', `/channels/${id}`, { keys: [OTHER] });
    assert.deepEqual(replaced.body.keys.length, 1);
    assert.equal(replaced.body.weight, 3);
    const rows = await store.reads.selectFrom('channel_keys').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => secretBox.open(row.ciphertext)),
      [OTHER],
    );
  });

  test('a query in the base address is kept as it is (contract-2 9)', async () => {
    const { call } = await makeOperatorApp(await open());
    const base_url = 'https://host/v1/?api-version=2024-10-21&a=b/';
    const { status, body } = await call('POST', '/channels', { ...least, base_url });
    assert.deepEqual([status, body.base_url], [201, 'https://host/v1?api-version=2024-10-21&a=b/']);
  });

  test('the password of a proxy is sealed, and its hint keeps it (contract-2 9)', async () => {
    const { call, store, secretBox } = await makeOperatorApp(await open());
    const proxy = 'http://user:proxy-password@proxy.example:3128';
    const { id, options } = (await call('POST', '/channels', { ...least, options: { proxy } })).body;
    const hint = 'http://user:...@proxy.example:3128';
    assert.equal(options.proxy, hint);
    const stored = async (): Promise<string> =>
      (await store.reads.selectFrom('channels').select('options').executeTakeFirstOrThrow()).options;
    assert.doesNotMatch(await stored(), /proxy-password/);
    await call('PATCH', `/channels/${id}`, { options: { proxy: hint, rpm: 5 } });
    assert.equal(readChannelOptions(await stored(), secretBox).proxy, proxy);
    const audit = JSON.stringify((await call('GET', '/audit')).body);
    assert.doesNotMatch(audit, /proxy-password/);
    assert.equal((await call('PATCH', `/channels/${id}`, { options: { proxy: null } })).body.options.proxy, null);
  });

  test('models of an upstream are listed with their names here, and a preview stores nothing (contract-2 9)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, models: { public: 'two' } })).body;
    const { body } = await call('GET', `/channels/${id}/upstream-models`);
    assert.deepEqual(
      body.data.map((model: { id: string; carried_as: string | null }) => [model.id, model.carried_as]),
      [
        ['one', null],
        ['two', 'public'],
      ],
    );
    assert.equal((await call('GET', '/channels/chn_none/upstream-models')).status, 404);
    const preview = await call('POST', '/channels/preview', { ...least, name: 'not saved', model: 'one' });
    assert.deepEqual([preview.status, preview.body.list_error, preview.body.test.message], [200, null, 'one']);
    assert.equal((await call('POST', '/channels/preview', { ...least, provider: 'nobody' })).status, 400);
    assert.equal((await call('GET', '/channels')).body.data.length, 1);
  });

  test('a name is taken once', async () => {
    const { call } = await makeOperatorApp(await open());
    await call('POST', '/channels', least);
    const again = await call('POST', '/channels', least);
    assert.equal(again.status, 409);
    assert.equal(again.body.error.code, 'conflict');
    const { id } = (await call('POST', '/channels', { ...least, name: 'second' })).body;
    assert.equal((await call('PATCH', `/channels/${id}`, { name: 'main' })).status, 409);
    assert.equal((await call('PATCH', `/channels/${id}`, { name: 'second', weight: 2 })).status, 200);
    const both = await Promise.all([1, 2].map(() => call('POST', '/channels', { ...least, name: 'third' })));
    assert.deepEqual(new Set(both.map((answer) => answer.status)), new Set([201, 409]));
  });

  test('what is wrong is refused naming the field', async () => {
    const { call } = await makeOperatorApp(await open());
    const wrong: [object, string][] = [
      [{ provider: 'other' }, 'provider'],
      [{ base_url: 'ftp://host' }, 'base_url'],
      [{ base_url: 'https://user:pass@host/v1' }, 'base_url'],
      [{ base_url: 'https://host/v1?a=1#x' }, 'base_url'],
      [{ base_url: 'https://host/v1#x' }, 'base_url'],
      [{ keys: ['two words'] }, 'keys.0'],
      [{ provider: 'azure', keys: ['{"tenant_id": "t"}'] }, 'keys[0]'],
      [{ options: { proxy: 'socks5://host:1' } }, 'options.proxy'],
      [{ options: { api_version: '../x' } }, 'options.api_version'],
      [{ headers: { Authorization: 'x' } }, 'headers.Authorization'],
      [{ headers: { host: 'x' } }, 'headers.host'],
      [{ headers: { 'Content-Length': '1' } }, 'headers.Content-Length'],
      [{ headers: { 'transfer-encoding': 'x' } }, 'headers.transfer-encoding'],
      [{ headers: { 'bad name': 'x' } }, 'headers.bad name'],
      [{ headers: { 'x-a': 'line\nbreak' } }, 'headers.x-a'],
      [{ options: { connect_ms: 0 } }, 'options.connect_ms'],
      [{ options: { speaks: ['morse'] } }, 'options.speaks.0'],
      [{ options: { retries: 1 } }, 'options.retries'],
      [{ models: { a: 1 } }, 'models.a'],
      [{ models: { 'a*': 'b' } }, 'models.a*'],
      [{ sandbox: true }, 'sandbox'],
    ];
    for (const [fields, param] of wrong) {
      const { status, body } = await call('POST', '/channels', { ...least, ...fields });
      assert.equal(status, 400, param);
      assert.equal(body.error.param, param);
    }
    assert.deepEqual((await call('GET', '/channels')).body.data, []);
  });

  test('a channel is tested with a model that it carries', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, models: { a: 'b' } })).body;
    const tested = await call('POST', `/channels/${id}/test`, { model: 'a' });
    assert.deepEqual(
      [tested.status, tested.body],
      [200, { ok: true, status: 200, latency_ms: 12, message: `${id} a` }],
    );
    assert.equal((await call('POST', `/channels/${id}/test`, { model: 'constructor' })).body.error.param, 'model');
    assert.equal((await call('POST', '/channels/chn_none/test', { model: 'a' })).status, 404);
  });

  test('a removed channel takes its keys with it', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/channels', { ...least, keys: [KEY] })).body;
    assert.equal((await call('DELETE', `/channels/${id}`)).status, 204);
    assert.equal((await call('GET', `/channels/${id}`)).status, 404);
    assert.deepEqual(await store.reads.selectFrom('channel_keys').selectAll().execute(), []);
    assert.equal((await call('DELETE', `/channels/${id}`)).status, 404);
  });

  test('no model has a name that no list can hold (contract-2 9)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { status, body } = await call('PUT', '/models/__proto__', { price: { unit: 'request', amount: '1' } });
    assert.deepEqual([status, body.error.param], [400, 'id']);
  });
});
