// Contract-2 7: the balance for the holder of a token, in three shapes, without charge or rate count.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat } from './support/chat.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

const REQUEST_PRICE = { unit: 'request', amount: '0.25' } as const;

describe('the balance of a token', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_CURRENCY: 'EUR' } });
  const read = async <T>(path: string, key: string): Promise<T> => {
    const response = await fetch(gateway.address + path, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200, path);
    return (await response.json()) as T;
  };

  test('GET /v1/usage shows quota, used and what is left, of the token and of its account', async (t) => {
    const world = await makeWorld(gateway, t, {
      credit: '10',
      model: { price: REQUEST_PRICE },
      account: { budget: '8', budget_period: 'month' },
      token: { name: 'app', quota: '2', rate: { rpm: 3 } },
    });
    assert.equal((await chat(world, 'Hello')).status, 200);
    const expected = {
      object: 'usage',
      currency: 'EUR',
      token: {
        name: 'app',
        quota: '2',
        used: '0.25',
        remaining: '1.75',
        expires_at: null,
        models: null,
        rate: { rpm: 3, tpm: null, concurrency: null },
      },
      account: { balance: '9.75', budget: '8', budget_used: '0.25' },
    };
    for (let time = 0; time < 5; time += 1) assert.deepEqual(await read('/v1/usage', world.key), expected);
    assert.equal((await chat(world, 'Hello')).status, 200, 'asking took nothing of the rate');
    const endless = await makeToken(gateway, { account_id: world.account.id, models: ['gpt*'] });
    const { token } = await read<{ token: Record<string, unknown> }>('/v1/usage', endless.key);
    assert.deepEqual([token['quota'], token['remaining'], token['models']], [null, null, ['gpt*']]);
  });

  test('older OpenAI clients read limit and usage, with and without /v1', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '10', model: { price: REQUEST_PRICE }, token: { quota: '2' } });
    assert.equal((await chat(world, 'Hello')).status, 200);
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    for (const prefix of ['/v1', '']) {
      const limits = await read(`${prefix}/dashboard/billing/subscription`, world.key);
      assert.deepEqual(limits, {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 2,
        hard_limit_usd: 2,
        system_hard_limit_usd: 2,
        access_until: 0,
      });
      const path = `${prefix}/dashboard/billing/usage`;
      for (const query of ['', `?start_date=${today}&end_date=${tomorrow}`])
        assert.deepEqual(await read(path + query, world.key), { object: 'list', total_usage: 25 });
      const before = await read(`${path}?start_date=2020-01-01&end_date=2020-02-01`, world.key);
      assert.deepEqual(before, { object: 'list', total_usage: 0 });
      const headers = { authorization: `Bearer ${world.key}` };
      for (const query of ['?start_date=soon', `?start_date=${tomorrow}&end_date=${today}`])
        assert.equal((await fetch(gateway.address + path + query, { headers })).status, 400);
    }
    const endless = await makeToken(gateway, { account_id: world.account.id });
    const { hard_limit_usd } = await read<{ hard_limit_usd: number }>('/dashboard/billing/subscription', endless.key);
    assert.equal(hard_limit_usd, 9.75, 'without a quota the balance of the account is the limit');
  });

  test('clients of new-api read it in its units', async (t) => {
    const world = await makeWorld(gateway, t, {
      model: { price: REQUEST_PRICE },
      token: { name: 'app', quota: '2', expires_at: 4_000_000_000 },
    });
    assert.equal((await chat(world, 'Hello')).status, 200);
    for (const path of ['/api/usage/token/', '/api/usage/token']) {
      assert.deepEqual(await read(path, world.key), {
        code: true,
        message: 'ok',
        data: {
          object: 'token_usage',
          name: 'app',
          total_granted: 1_000_000,
          total_used: 125_000,
          total_available: 875_000,
          unlimited_quota: false,
          model_limits: {},
          model_limits_enabled: false,
          expires_at: 4_000_000_000,
        },
      });
    }
  });
});
