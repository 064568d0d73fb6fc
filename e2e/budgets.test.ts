// Quotas and budgets that start again by themselves, and answers made to fit what is left.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { Token } from '#contract/tokens.ts';
import { chat, postChat, readAnswer, readError } from './support/chat.ts';
import { ledgerOf, nano } from './support/money.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

const flat = { model: { price: { unit: 'request', amount: '1' } } } as const;

describe('quotas and budgets', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  test('a quota of a month is used up by its calls, and another period begins at nothing', async (t) => {
    const world = await makeWorld(gateway, t, { ...flat, token: { quota: '2', quota_period: 'month' } });
    for (let i = 0; i < 2; i++) await readAnswer(await chat(world, 'hi'));
    assert.match((await readError(await chat(world, 'hi'), 402, 'insufficient_quota')).message, /quota/);
    const token = await gateway.operator<Token>('GET', `/tokens/${world.token.id}`);
    assert.deepEqual([token.quota_period, token.period_used, token.used], ['month', '2', '2']);
    await gateway.operator('PATCH', `/tokens/${world.token.id}`, { quota_period: 'day' });
    await readAnswer(await chat(world, 'hi'));
    await gateway.operator('PATCH', `/tokens/${world.token.id}`, { quota_period: null });
    await readError(await chat(world, 'hi'), 402, 'insufficient_quota');
  });

  test("an account's budget holds over all its tokens", async (t) => {
    const world = await makeWorld(gateway, t, { ...flat, account: { budget: '2', budget_period: 'week' } });
    const other = await makeToken(gateway, { account_id: world.account.id });
    await readAnswer(await chat(world, 'hi'));
    await readAnswer(await chat({ ...world, key: other.key }, 'hi'));
    assert.match((await readError(await chat(world, 'hi'), 402, 'insufficient_quota')).message, /budget/);
    const account = await gateway.operator<Account>('PATCH', `/accounts/${world.account.id}`, { budget: '3' });
    assert.deepEqual([account.budget, account.budget_period, account.budget_used], ['3', 'week', '2']);
    await readAnswer(await chat(world, 'hi'));
    await gateway.operator('PATCH', `/accounts/${world.account.id}`, { budget: null });
    await readAnswer(await chat(world, 'hi'));
  });

  test('wrong periods and amounts are refused by name', async (t) => {
    const { account, token } = await makeWorld(gateway, t);
    const patch = (path: string, body: object): Promise<Response> =>
      fetch(`${gateway.address}/operator/v1${path}`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer operator-key-of-the-tests', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    for (const [path, body, param] of [
      [`/tokens/${token.id}`, { quota_period: 'year' }, 'quota_period'],
      [`/accounts/${account.id}`, { budget: '-1' }, 'budget'],
      [`/accounts/${account.id}`, { budget_period: 7 }, 'budget_period'],
    ] as const)
      assert.equal((await readError(await patch(path, body), 400, 'invalid_request')).param, param);
  });

  const story = { messages: [{ role: 'user', content: 'tell me a story' }] };
  const contents = [{ role: 'user', parts: [{ text: 'tell me a story' }] }];
  /** What is posted, and where in it the limit of output stands. */
  const texts: { provider?: 'anthropic' | 'gemini'; path: string; body: object; limit: string }[] = [
    { path: '/v1/chat/completions', body: { ...story, max_tokens: 4_000 }, limit: 'max_tokens' },
    { path: '/v1/chat/completions', body: story, limit: 'max_tokens' },
    { path: '/v1/completions', body: { prompt: 'a story' }, limit: 'max_tokens' },
    { path: '/v1/responses', body: { input: 'a story' }, limit: 'max_output_tokens' },
    { provider: 'anthropic', path: '/v1/messages', body: { ...story, max_tokens: 4_000 }, limit: 'max_tokens' },
    { provider: 'gemini', path: ':generateContent', body: { contents }, limit: 'generationConfig.maxOutputTokens' },
    {
      provider: 'gemini',
      path: ':generateContent',
      body: { contents, generation_config: { top_p: 1, max_output_tokens: 4_000 } },
      limit: 'generation_config.max_output_tokens',
    },
  ];
  for (const [index, { provider = 'openai', path: route, body, limit }] of texts.entries()) {
    test(`${index} ${route}: a token that opts in gets a shorter answer when money runs out, others get 402`, async (t) => {
      const world = await makeWorld(gateway, t, {
        credit: '0.003',
        token: { options: { fit_balance: true } },
        channels: [{ provider, base_url: gateway.upstream.baseUrl(provider) }],
      });
      const isNative = provider === 'gemini';
      const path = isNative ? `/v1beta/models/${world.model}${route}` : route;
      const init = { path, ...(provider === 'anthropic' && { headers: { 'anthropic-version': '2023-06-01' } }) };
      const text = JSON.stringify(isNative ? body : { model: world.model, ...body });
      const plain = await makeToken(gateway, { account_id: world.account.id });
      assert.equal((await postChat({ ...world, key: plain.key }, text, init)).status, 402);
      const response = await postChat(world, text, init);
      assert.equal(response.status, 200, await response.text());
      const reported = Number(response.headers.get('x-tollgate-max-tokens'));
      assert.ok(reported >= 16 && reported < 4_000, `${reported}`);
      const sent = gateway.upstream.records.find(
        (record) =>
          record.path.includes(`${world.model}.0`) ||
          (record.body as { model?: string } | null)?.model === `${world.model}.0`,
      );
      const value = limit
        .split('.')
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], sent?.body);
      assert.equal(value, reported);
      const hold = (await ledgerOf(gateway, { account_id: world.account.id })).find(({ kind }) => kind === 'hold');
      assert.ok(nano(hold?.amount ?? '0') <= nano('0.003') && nano(hold?.amount ?? '0') > nano('0.0029'));
    });
  }

  test('a request made to fit keeps its features, and a budget for thinking is not undercut', async (t) => {
    const world = await makeWorld(gateway, t, {
      credit: '0.003',
      token: { options: { fit_balance: true } },
      channels: [{ provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') }],
    });
    const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'mcp-client-2025-04-04' };
    const ask = (extra: object): Promise<Response> =>
      postChat(world, JSON.stringify({ model: world.model, ...story, max_tokens: 4_000, ...extra }), {
        path: '/v1/messages',
        headers,
      });
    const thinking = await ask({ thinking: { type: 'enabled', budget_tokens: 1_024 } });
    assert.equal(thinking.status, 402, await thinking.text());
    const response = await ask({});
    assert.equal(response.status, 200, await response.text());
    assert.equal(world.calls()[0]?.headers['anthropic-beta'], 'mcp-client-2025-04-04');
  });

  test('where not even a short answer can be paid, 402 stays', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '0.00001', token: { options: { fit_balance: true } } });
    await readError(await chat(world, 'hi'), 402, 'insufficient_quota');
  });
});
