// Who gets in: where a token may be carried, what ends it, and how soon a change counts (spec 5, contract 4 and 5).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, type ErrorBody, readAnswer, readError } from './support/chat.ts';
import { balanceOf, ledgerOf, requestsOf } from './support/money.ts';
import { pause, waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

describe('access', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.address + path, { headers });

  const change = (world: World, body: Record<string, unknown>): Promise<unknown> =>
    gateway.operator('PATCH', `/tokens/${world.token.id}`, body);

  test('compatible paths take the bearer header, in any case, and the key headers of vendors (contract-2 7)', async (t) => {
    const { key } = await makeWorld(gateway, t);
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`])
      assert.equal((await get('/v1/models', { authorization })).status, 200, authorization.split(' ')[0]);
    const unknown = `sk-${'q'.repeat(48)}`;
    for (const headers of [
      { 'x-api-key': key },
      { 'x-goog-api-key': key },
      { 'x-acme-api-key': key },
      { 'x-api-key': key, authorization: `Bearer ${unknown}` },
    ] as Record<string, string>[])
      assert.equal((await get('/v1/models', headers)).status, 200, Object.keys(headers).join());
    await readError(
      await get('/v1/models', { 'x-api-key': unknown, authorization: 'Bearer sk-x' }),
      401,
      'invalid_api_key',
    );
    const { key: second } = await makeWorld(gateway, t);
    await readError(
      await get('/v1/models', { 'x-api-key': second, authorization: `Bearer ${key}` }),
      401,
      'invalid_api_key',
    );
    const others: [string, Record<string, string>][] = [
      [`/v1/models?key=${key}`, {}],
      ['/v1/models', { authorization: key }],
      ['/v1/models', { authorization: `Basic ${btoa(`x:${key}`)}` }],
      ['/v1/models', { cookie: `token=${key}` }],
    ];
    for (const [path, headers] of others) await readError(await get(path, headers), 401, 'missing_api_key');
  });

  test('generate-content paths take the key query, any x-<word>-api-key header and the bearer header', async (t) => {
    const { key, model } = await makeWorld(gateway, t);
    const carriers: [string, Record<string, string>][] = [
      [`?key=${key}`, {}],
      [`?pageSize=5&key=${key}`, {}],
      ['', { 'x-goog-api-key': key }],
      ['', { 'X-Vendor-Api-Key': key }],
      ['', { 'x-my-own-api-key': key }],
      ['', { authorization: `Bearer ${key}` }],
      [`?key=${key}`, { authorization: `Bearer ${key}`, 'x-goog-api-key': key }],
    ];
    for (const [query, headers] of carriers) {
      const response = await get(`/v1beta/models${query}`, headers);
      assert.equal(response.status, 200, JSON.stringify([query, headers]));
      const { models } = (await response.json()) as { models: { name: string }[] };
      assert.ok(models.some(({ name }) => name === `models/${model}`));
    }
    for (const headers of [{ cookie: `key=${key}` }, {}] as Record<string, string>[]) {
      const response = await get('/v1beta/models', headers);
      assert.equal(response.status, 401);
      const { error } = (await response.json()) as { error: { code: number; status: string } };
      assert.deepEqual([error.code, error.status], [401, 'UNAUTHENTICATED']);
    }
    const two = await get(`/v1beta/models?key=${key}`, { authorization: `Bearer sk-${'q'.repeat(48)}` });
    assert.equal(two.status, 200, 'of two keys that differ the known one counts');
  });

  test('unknown and malformed keys get the same answer', async () => {
    const bodies: string[] = [];
    for (const key of [`sk-${'a'.repeat(48)}`, 'sk-short', 'nonsense', `pk-${'a'.repeat(48)}`, `sk-${'é'.repeat(3)}`]) {
      const response = await get('/v1/models', { authorization: `Bearer ${encodeURI(key)}` });
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      bodies.push(await response.clone().text());
      await readError(response, 401, 'invalid_api_key');
    }
    assert.equal(new Set(bodies).size, 1);
  });

  test('the operator key is no access token, and an access token no operator key', async (t) => {
    const { key } = await makeWorld(gateway, t);
    await readError(
      await get('/v1/models', { authorization: 'Bearer operator-key-of-the-tests' }),
      401,
      'invalid_api_key',
    );
    assert.equal((await get('/operator/v1/accounts', { authorization: `Bearer ${key}` })).status, 401);
    assert.equal((await get('/operator/v1/accounts')).status, 401);
  });

  test('disabling and enabling counts with the next request', async (t) => {
    const world = await makeWorld(gateway, t);
    await readAnswer(await chat(world, 'on'));
    await change(world, { status: 'disabled' });
    await readError(await chat(world, 'off'), 401, 'token_disabled');
    await change(world, { status: 'enabled' });
    await readAnswer(await chat(world, 'on again'));
    await gateway.operator('PATCH', `/accounts/${world.account.id}`, { status: 'disabled' });
    await readError(await chat(world, 'off'), 403, 'account_disabled');
    await gateway.operator('PATCH', `/accounts/${world.account.id}`, { status: 'active' });
    await readAnswer(await chat(world, 'on again'));
    assert.equal(world.calls().length, 3);
  });

  test('a token ends at its time, also one that was just used', async (t) => {
    const world = await makeWorld(gateway, t);
    const soon = Math.floor(Date.now() / 1000) + 3;
    await change(world, { expires_at: soon });
    while (Date.now() < soon * 1000 + 50) {
      const { status } = await chat(world, 'in time');
      if (Date.now() < soon * 1000) assert.equal(status, 200);
      await pause(100);
    }
    await readError(await chat(world, 'too late'), 401, 'token_expired');
    await change(world, { expires_at: null });
    await readAnswer(await chat(world, 'for ever'));
  });

  test('rotation ends the old key at once, or after its grace; the new one works at once', async (t) => {
    const world = await makeWorld(gateway, t);
    await readAnswer(await chat(world, 'first key'));
    const rotate = (body?: Record<string, unknown>): Promise<{ key: string }> =>
      gateway.operator('POST', `/tokens/${world.token.id}/rotate`, body);
    const second = await rotate();
    assert.notEqual(second.key, world.key);
    await readError(await chat(world, 'first key'), 401, 'invalid_api_key');
    await readAnswer(await chat({ ...world, key: second.key }, 'second key'));

    const third = await rotate({ grace_seconds: 600 }); // longer than any machine takes for the next calls
    await readAnswer(await chat({ ...world, key: second.key }, 'in its grace'));
    await readAnswer(await chat({ ...world, key: third.key }, 'third key'));
    await rotate({ grace_seconds: 1 });
    await waitUntil(
      async () => (await chat({ ...world, key: third.key }, 'after its grace')).status === 401,
      'the grace does not end',
    );
    await readError(await chat({ ...world, key: third.key }, 'x'), 401, 'invalid_api_key');
  });

  test('a removed token is refused', async (t) => {
    const world = await makeWorld(gateway, t);
    await readAnswer(await chat(world, 'here'));
    await gateway.operator('DELETE', `/tokens/${world.token.id}`);
    assert.equal((await chat(world, 'gone')).status, 401);
  });

  test('a token for other addresses is refused, forwarding headers of strangers notwithstanding', async (t) => {
    const world = await makeWorld(gateway, t, { token: { ip_allow: ['203.0.113.0/24', '2001:db8::/32'] } });
    for (const headers of [
      {},
      { 'x-forwarded-for': '203.0.113.5' },
      { 'x-real-ip': '203.0.113.5' },
      { forwarded: 'for=203.0.113.5' },
      { 'cf-connecting-ip': '203.0.113.5' },
    ])
      await readError(await chat(world, 'x', {}, { headers: headers }), 403, 'ip_not_allowed');
    await change(world, { ip_allow: ['203.0.113.0/24', '127.0.0.0/8'] });
    await readAnswer(await chat(world, 'from here'));
    await change(world, { ip_allow: ['::ffff:127.0.0.1'] });
    await readAnswer(await chat(world, 'from here, written otherwise'));
  });

  test('scope changes count with the next request', async (t) => {
    const world = await makeWorld(gateway, t);
    await readAnswer(await chat(world, 'allowed'));
    await change(world, { models: ['other'] });
    await readError(await chat(world, 'x'), 403, 'model_not_allowed');
    await change(world, { models: null, quota: '0' });
    await readError(await chat(world, 'x'), 402, 'insufficient_quota');
    await change(world, { quota: null });
    await gateway.operator('PATCH', `/accounts/${world.account.id}`, { models: ['other'] });
    await readError(await chat(world, 'x'), 403, 'model_not_allowed');
  });

  test('a test token reaches only the sandbox and leaves the balance alone', async (t) => {
    const world = await makeWorld(gateway, t, { token: { mode: 'test' } });
    await readError(await chat(world, 'a live channel'), 404, 'model_not_found');
    assert.equal(world.calls().length, 0);
    const response = await chat({ ...world, model: 'sandbox-chat' }, 'rehearsal');
    assert.match((await readAnswer(response)).choices[0]?.message.content ?? '', /rehearsal/);
    assert.equal(await balanceOf(gateway, world.account.id), '100');
    const entries = await ledgerOf(gateway, { account_id: world.account.id, mode: 'test' });
    assert.ok(entries.some(({ kind }) => kind === 'settle'));
    const logged = (await requestsOf(gateway, { account_id: world.account.id })).at(-1);
    assert.equal(logged?.mode, 'test');
    const poor = await makeWorld(gateway, t, { credit: '0', token: { mode: 'test' } });
    await readAnswer(await chat({ ...poor, model: 'sandbox-chat' }, 'without a penny'));
  });

  test("a model outside the token's own list is 403, one that nobody has 404, also when only looked up (contract 2)", async (t) => {
    const { model, account } = await makeWorld(gateway, t);
    const { key } = await makeToken(gateway, { account_id: account.id, models: ['none'] });
    const known = await get(`/v1/models/${model}`, { authorization: `Bearer ${key}` });
    const unknown = await get('/v1/models/never-heard-of', { authorization: `Bearer ${key}` });
    const codes = [known, unknown].map(async (answer) => ((await answer.json()) as ErrorBody).error.code);
    assert.deepEqual([known.status, unknown.status], [403, 404]);
    assert.deepEqual(await Promise.all(codes), ['model_not_allowed', 'model_not_found']);
  });
});
