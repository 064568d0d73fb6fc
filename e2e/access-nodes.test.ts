// Access where more than one process or a proxy is involved: changes through another node, addresses behind trusted
// proxies, and gateways without a sandbox.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readAnswer, readError } from './support/chat.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

describe('two gateways on one PostgreSQL', { skip: NO_DATABASE_SERVER, concurrency: 8 }, async () => {
  if (NO_DATABASE_SERVER !== false) return;
  const gateway = await suiteGateway({ postgres: true });
  const { upstream, databaseUrl = '' } = gateway;
  const other = await suiteGateway({ databaseUrl, upstream });

  const changes = {
    'a disabled token': [{ status: 'disabled' }, 'tokens', 401],
    'an address list': [{ ip_allow: ['203.0.113.1'] }, 'tokens', 403],
    'a model list': [{ models: ['other'] }, 'tokens', 403],
    'a quota': [{ quota: '0' }, 'tokens', 402],
    'an expiry': [{ expires_at: 1 }, 'tokens', 401],
    'a disabled account': [{ status: 'disabled' }, 'accounts', 403],
  } as const;

  for (const [name, [body, noun, status]] of Object.entries(changes)) {
    test(`${name} counts on the other node within 2 s`, async (t) => {
      const world = await makeWorld(gateway, t);
      const there = { ...world, gateway: other };
      await waitUntil(async () => (await chat(there, 'first')).status === 200, 'the new model is unknown there');
      const id = noun === 'tokens' ? world.token.id : world.account.id;
      await gateway.operator('PATCH', `/${noun}/${id}`, body);
      assert.equal((await chat(world, 'here')).status, status, 'here it counts at once');
      await waitUntil(async () => (await chat(there, 'there')).status === status, 'it does not count there');
    });
  }

  test('rotation, prices and channels count on the other node within 2 s', async (t) => {
    const world = await makeWorld(gateway, t);
    const there = { ...world, gateway: other };
    await waitUntil(async () => (await chat(there, 'first')).status === 200, 'the new model is unknown there');
    const { key } = await gateway.operator<{ key: string }>('POST', `/tokens/${world.token.id}/rotate`);
    await waitUntil(async () => (await chat(there, 'old key')).status === 401, 'the old key works on');
    await readAnswer(await chat({ ...there, key }, 'new key'));
    await gateway.operator('PATCH', `/channels/${world.channels[0]?.id}`, { status: 'disabled' });
    await waitUntil(async () => (await chat({ ...there, key }, 'x')).status === 404, 'the channel is still used');
  });

  test('both nodes together do not sell more than there is', async (t) => {
    const price = { unit: 'request', amount: '1' } as const;
    const world = await makeWorld(gateway, t, { credit: '7', model: { price } });
    const there = { ...world, gateway: other };
    await waitUntil(async () => {
      const models = await fetch(`${other.address}/v1/models`, { headers: { authorization: `Bearer ${world.key}` } });
      return (await models.text()).includes(world.model);
    }, 'the new model is unknown there');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => chat(index % 2 === 0 ? world : there, 'one of seven')),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counts.get(200)?.length, counts.get(402)?.length], [7, 33]);
  });
});

describe('behind a trusted proxy', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' } });

  test('the right-most address that no trusted proxy has is the address of the caller', async (t) => {
    const world = await makeWorld(gateway, t, { token: { ip_allow: ['203.0.113.5', '2001:db8::1'] } });
    const cases: [string, number][] = [
      ['203.0.113.5', 200],
      ['198.51.100.1, 203.0.113.5', 200],
      ['203.0.113.5, 10.1.2.3', 200],
      ['203.0.113.5:4711', 200],
      ['[2001:db8::1]:4711', 200],
      ['::ffff:203.0.113.5', 200],
      ['203.0.113.5, 198.51.100.1', 403],
      ['203.0.113.5, nonsense', 403],
      ['nonsense', 403],
      ['127.0.0.1', 403],
      ['', 403],
    ];
    for (const [forwarded, status] of cases) {
      const response = await chat(world, 'x', {}, { headers: { 'x-forwarded-for': forwarded } });
      await response.text();
      assert.equal(response.status, status, forwarded);
    }
  });
});

describe('with the sandbox off', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_SANDBOX: 'off' } });

  test('test tokens get 503, live tokens are served, and no sandbox model or channel was made', async (t) => {
    const world = await makeWorld(gateway, t, { token: { mode: 'test' } });
    const refused = await chat(world, 'x');
    assert.ok(Number(refused.headers.get('retry-after')) > 0, 'contract 4');
    await readError(refused, 503, 'no_channel_available');
    await readError(await chat({ ...world, model: 'sandbox-chat' }, 'x'), 503, 'no_channel_available');
    const live = await makeWorld(gateway, t);
    await readAnswer(await chat(live, 'x'));
    await readError(await chat({ ...live, model: 'sandbox-chat' }, 'x'), 404, 'model_not_found');
    const { data } = await gateway.operator<{ data: { sandbox: boolean }[] }>('GET', '/channels?limit=200');
    assert.ok(data.every(({ sandbox }) => !sandbox));
    assert.equal(gateway.running.sandbox, undefined);
    assert.equal(gateway.running.firstStart?.demo, null);
  });
});
