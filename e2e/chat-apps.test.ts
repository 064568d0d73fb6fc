// The calls that chat apps make which cannot be driven without their window, replayed as their public sources make them
// (docs/clients): NextChat, LobeChat, Open WebUI, Cherry Studio, cc-switch.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const hello = [{ role: 'user', content: 'Hello' }];

describe('chat apps', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const send = (
    world: World,
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) =>
    fetch(`${gateway.address}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${world.key}`, ...init.headers },
    });
  const post = (world: World, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    send(world, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  /** What a reader of events puts together. */
  const textOf = (events: string): string =>
    [...events.matchAll(/^data: (\{.*\})$/gm)]
      .map(([, data = '']) => JSON.parse(data) as { choices?: { delta?: { content?: string } }[] })
      .map(({ choices }) => choices?.[0]?.delta?.content ?? '')
      .join('');

  test('NextChat: streams a chat with its usual settings, lists models, asks for the balance from a page', async (t) => {
    const world = await makeWorld(gateway, t);
    const origin = 'https://app.nextchat.example';
    const preflight = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-requested-with',
      },
    });
    assert.equal(preflight.status, 204);
    const body = {
      messages: [{ role: 'system', content: 'You are ChatGPT.' }, ...hello],
      stream: true,
      model: world.model,
      temperature: 0.5,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_p: 1,
    };
    const headers = { origin, accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' };
    const answer = await post(world, '/v1/chat/completions', body, headers);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const events = await answer.text();
    assert.match(textOf(events), /^You said: Hello/);
    assert.match(events, /data: \[DONE\]/);
    const { data } = (await (await send(world, '/v1/models')).json()) as { data: { id: string }[] };
    assert.ok(data.some(({ id }) => id === world.model));
    const used = await send(world, '/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-12-31');
    assert.equal(typeof ((await used.json()) as { total_usage: unknown }).total_usage, 'number');
    const limit = await send(world, '/dashboard/billing/subscription');
    assert.equal(typeof ((await limit.json()) as { hard_limit_usd: unknown }).hard_limit_usd, 'number');
  });

  test('LobeChat and Open WebUI: stream with usage and tools that stay silent, and title a chat', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = {
      messages: hello,
      model: world.model,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'lobe-web-browsing____search', parameters: { type: 'object' } } }],
      user: 'someone',
    };
    const events = await (await post(world, '/v1/chat/completions', body)).text();
    assert.match(textOf(events), /^You said: Hello/);
    assert.match(events, /"usage":\{"prompt_tokens":\d+/);
    const title = await post(world, '/v1/chat/completions', {
      model: world.model,
      messages: [{ role: 'user', content: 'Give this chat a title.' }],
      stream: false,
      max_completion_tokens: 1000,
    });
    assert.equal(title.status, 200, await title.text());
  });

  test('Cherry Studio: speaks all three protocols with one host and one key', async (t) => {
    const world = await makeWorld(gateway, t);
    const chat = await post(world, '/v1/chat/completions', { model: world.model, messages: hello, stream: true });
    assert.match(textOf(await chat.text()), /^You said: Hello/);
    const messages = await post(
      world,
      '/v1/messages',
      { model: world.model, max_tokens: 4096, messages: hello, stream: true },
      {
        'x-api-key': world.key,
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
      },
    );
    assert.match(await messages.text(), /event: message_stop/);
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    const path = `/v1beta/models/${world.model}:streamGenerateContent?alt=sse`;
    const native = await post(world, path, { contents }, { 'x-goog-api-key': world.key });
    assert.match(await native.text(), /"finishReason":"STOP"/);
  });

  test('cc-switch: reads what is left of a token', async (t) => {
    const world = await makeWorld(gateway, t);
    const { data } = (await (await send(world, '/api/usage/token/')).json()) as { data: { object: string } };
    assert.equal(typeof data, 'object');
    const usage = (await (await send(world, '/v1/usage')).json()) as { account: { balance: string } };
    assert.equal(usage.account.balance, '100');
  });
});
