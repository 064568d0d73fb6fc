import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

const ID = 'org/model.v1:free';
const PATH = `/models/${encodeURIComponent(ID)}`;

const prices = [
  { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' },
  { unit: 'tokens', input: '2.5', output: '10', cached_input: null, cache_write: null }, // unset is null (contract 2)
  { unit: 'request', amount: '0.01' },
  { unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08' } },
  { unit: 'image', amount: '0.04', by: null },
  { unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } },
  { unit: 'video_tokens', generate: '7', video_input: '4.3' },
  { unit: 'characters', amount: '15' },
  { unit: 'audio_second', amount: '0.0001' },
  { unit: 'search', amount: '0.002' },
];

onEveryStore((open) => {
  test('a group is put, replaced, read and listed by name', async () => {
    const { call } = await makeOperatorApp(await open());
    const made = await call('PUT', '/groups/vip', { multiplier: '0.8', description: 'large', models: ['gpt-*'] });
    assert.equal(made.status, 201);
    const replaced = await call('PUT', '/groups/vip', { multiplier: '0.75' });
    assert.equal(replaced.status, 200);
    const { etag } = replaced.body;
    assert.deepEqual(replaced.body, { name: 'vip', multiplier: '0.75', description: '', models: null, etag });
    await call('PUT', '/groups/default', {});
    const first = (await call('GET', '/groups?limit=1')).body;
    assert.equal(first.data[0].name, 'default');
    const second = (await call('GET', `/groups?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(second, { data: [replaced.body], next_cursor: null });
    assert.equal((await call('GET', '/groups/none')).status, 404);
    for (const multiplier of ['-1', '1001', 1, 'x', '']) {
      assert.equal((await call('PUT', '/groups/vip', { multiplier })).body.error.param, 'multiplier');
    }
    assert.equal((await call('PUT', '/groups/%20x', {})).body.error.param, 'name');
  });

  test('groups that are only used, and the default, are listed too', async () => {
    const { call } = await makeOperatorApp(await open());
    const list = async (): Promise<string[]> =>
      (await call('GET', '/groups')).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await list(), ['default']);
    await call('PUT', '/groups/vip', { multiplier: '0.8' });
    const account = (await call('POST', '/accounts', { name: 'a', group: 'partners' })).body;
    await call('POST', '/tokens', { account_id: account.id, name: 't', group: 'trial' });
    const base_url = 'https://upstream.example/v1';
    await call('POST', '/channels', {
      name: 'c',
      provider: 'openai',
      base_url,
      models: { m: 'm' },
      groups: ['vip', 'eu'],
    });
    assert.deepEqual(await list(), ['default', 'eu', 'partners', 'trial', 'vip']);
    const plain = { name: 'trial', multiplier: '1', description: '', models: null };
    const trial = (await call('GET', '/groups/trial')).body;
    assert.deepEqual(trial, { ...plain, etag: trial.etag });
    const page = (await call('GET', '/groups?limit=4')).body;
    assert.deepEqual((await call('GET', `/groups?limit=4&cursor=${page.next_cursor}`)).body.data[0].name, 'vip');
  });

  test('a price with an unknown field is refused with the names that its unit has', async () => {
    const { call } = await makeOperatorApp(await open());
    const { status, body } = await call('PUT', PATH, { price: { ...prices[0], outputs: '1' } });
    assert.deepEqual([status, body.error.param], [400, 'price.outputs']);
    assert.match(
      body.error.message,
      /^"price\.outputs" is not a known field; known here: unit, input, output, cached_input/,
    );
    assert.match(
      (await call('PUT', PATH, { prize: 1 })).body.error.message,
      /known here: owned_by, endpoint_types, price/,
    );
  });

  test('a model id may hold / . and : when percent-encoded', async () => {
    const { call, clock } = await makeOperatorApp(await open());
    const made = await call('PUT', PATH, { price: prices[0] });
    assert.equal(made.status, 201);
    assert.deepEqual(made.body, {
      id: ID,
      owned_by: 'tollgate',
      endpoint_types: [],
      price: prices[0],
      enabled: true,
      flag: null,
      max_output_tokens: null,
      pass_unpriced: null,
      retires_at: null,
      sandbox: false,
      created: START / 1000,
      etag: made.body.etag,
    });
    assert.deepEqual((await call('GET', PATH)).body, made.body);
    clock.move(60);
    const replaced = await call('PUT', PATH, {
      endpoint_types: ['embeddings', 'rerank'],
      enabled: false,
      flag: 'beta',
    });
    assert.equal(replaced.status, 200);
    assert.equal(replaced.body.price, null);
    assert.equal(replaced.body.created, START / 1000, 'kept from the first put');
    assert.deepEqual((await call('GET', '/models?flag=beta')).body.data, [replaced.body]);
    assert.equal((await call('DELETE', PATH)).status, 204);
    assert.equal((await call('GET', PATH)).status, 404);
    assert.equal((await call('DELETE', PATH)).status, 404);
  });

  test('a model may say when its vendor retires it (issue 32)', async () => {
    const { call } = await makeOperatorApp(await open());
    const at = START / 1000 + 86_400;
    assert.equal((await call('PUT', PATH, { price: prices[0], retires_at: at })).body.retires_at, at);
    assert.equal((await call('GET', PATH)).body.retires_at, at);
    const wrong = await call('PUT', PATH, { price: prices[0], retires_at: '2027-01-01' });
    assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'retires_at']);
    assert.equal((await call('PUT', PATH, { price: prices[0] })).body.retires_at, null, 'a put replaces it');
  });

  test('every unit of contract section 6 is a price, and nothing else is', async () => {
    const { call } = await makeOperatorApp(await open());
    for (const price of prices) assert.deepEqual((await call('PUT', PATH, { price })).body.price, price);
    const wrong: [object, string][] = [
      [{ unit: 'word', amount: '1' }, 'price.unit'],
      [{ amount: '1' }, 'price.unit'],
      [{ unit: 'request', amount: '-1' }, 'price.amount'],
      [{ unit: 'request', amount: 1 }, 'price.amount'],
      [{ unit: 'request', amount: '1', per: 'call' }, 'price.per'],
      [{ unit: 'tokens', input: '1' }, 'price.output'],
      [{ unit: 'image', amount: '1', by: { big: '1.0000000001' } }, 'price.by.big'],
      [{ unit: 'second', amount: '1', resolution: { '720P': '2000' } }, 'price.resolution.720P'],
      [{ unit: 'video_tokens', generate: '1' }, 'price.video_input'],
    ];
    for (const [price, param] of wrong) {
      const { status, body } = await call('PUT', PATH, { price });
      assert.equal(status, 400, param);
      assert.equal(body.error.param, param);
    }
    assert.equal((await call('PUT', PATH, { endpoint_types: ['chat'] })).body.error.param, 'endpoint_types.0');
    assert.equal((await call('PUT', '/models/a%20b', {})).body.error.param, 'id');
  });

  test('a flag is put, replaced, listed and removed', async () => {
    const { call } = await makeOperatorApp(await open());
    assert.equal((await call('PUT', '/flags/beta', { enabled: true, accounts: ['acc_1'] })).status, 201);
    const replaced = await call('PUT', '/flags/beta', { enabled: false, groups: ['vip'] });
    assert.deepEqual(
      [replaced.status, replaced.body],
      [200, { name: 'beta', enabled: false, accounts: [], groups: ['vip'], etag: replaced.body.etag }],
    );
    assert.deepEqual((await call('GET', '/flags')).body.data, [replaced.body]);
    assert.deepEqual((await call('GET', '/flags/beta')).body, replaced.body);
    assert.equal((await call('PUT', '/flags/beta', { enabled: 'yes' })).body.error.param, 'enabled');
    assert.equal((await call('DELETE', '/flags/beta')).status, 204);
    assert.equal((await call('GET', '/flags/beta')).status, 404);
  });
});
