// Contract-2 7: previous_response_id, GET, DELETE and cancel of /v1/responses for models whose upstream speaks another
// protocol. The gateway keeps what the conversation needs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { readError } from './support/chat.ts';
import { moneyOf } from './support/endpoint-checks.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { requestsOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { type ChannelOptions, makeAccount, makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway }: Pick<World, 'gateway'>, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

/** The last request to the upstream that says this. */
const sent = ({ gateway }: World, text: string): string =>
  gateway.upstream.records.map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes(text)) ?? '';

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`kept responses on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 7)`, { skip }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });
    watchAnswers(gateway);
    const channels: Record<string, ChannelOptions> = {
      chat: { provider: 'openai', options: { speaks: ['chat'] } },
      messages: { provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') },
      'generate-content': { provider: 'gemini', base_url: gateway.upstream.baseUrl('gemini') },
    };

    for (const [protocol, channel] of Object.entries(channels))
      test(`are gone on from, whole and streamed, on an upstream that speaks ${protocol}`, async (t) => {
        const world = await makeWorld(gateway, t, { channels: [channel] });
        const sdk = client(world, world.key);
        const { model } = world;
        const first = await sdk.responses.create({ model, input: 'My name is Ann' });
        assert.deepEqual([storeOf(first), first.previous_response_id], [true, null]);
        const stream = await sdk.responses.create({
          model,
          stream: true,
          input: [{ role: 'user', content: 'And I live in Bern' }],
          previous_response_id: first.id,
        });
        let second: OpenAI.Responses.Response | undefined;
        for await (const event of stream) if (event.type === 'response.completed') second = event.response;
        assert.ok(second !== undefined);
        assert.equal(second.previous_response_id, first.id);
        const question = `Who am I? ${model}`;
        const third = await sdk.responses.create({ model, input: question, previous_response_id: second.id });
        const sentText = sent(world, question);
        for (const text of ['My name is Ann', 'And I live in Bern', question, first.output_text])
          assert.ok(sentText.includes(JSON.stringify(text).slice(1, -1)), text);
        assert.equal((await sdk.responses.retrieve(third.id)).output_text, third.output_text);
      });

    test('are read, listed, replayed, cancelled and deleted at no cost', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channels['chat'] ?? {}] });
      const sdk = client(world, world.key);
      const first = await sdk.responses.create({ model: world.model, input: 'Remember the milk' });
      const made = await sdk.responses.create({
        model: world.model,
        input: 'And eggs',
        previous_response_id: first.id,
      });
      const paid = await moneyOf(world);
      assert.deepEqual({ ...(await sdk.responses.retrieve(made.id)) }, { ...made });
      const replayed = await sdk.responses.retrieve(made.id, { stream: true });
      const types: string[] = [];
      let text = '';
      let last: OpenAI.Responses.Response | undefined;
      for await (const event of replayed) {
        types.push(event.type);
        if (event.type === 'response.output_text.delta') text += event.delta;
        if (event.type === 'response.completed') last = event.response;
      }
      assert.equal(types[0], 'response.created');
      assert.equal(text, made.output_text);
      assert.equal(last?.id, made.id);
      const after = await sdk.responses.retrieve(made.id, { stream: true, starting_after: types.length - 2 });
      const rest: string[] = [];
      for await (const event of after) rest.push(event.type);
      assert.deepEqual(rest, ['response.completed']);
      const items: string[] = [];
      for await (const item of sdk.responses.inputItems.list(made.id, { limit: 1, order: 'asc' }))
        items.push(JSON.stringify(item));
      assert.equal(items.length, 3);
      assert.match(items[0] ?? '', /Remember the milk/);
      assert.match(items[2] ?? '', /And eggs/);
      assert.equal((await sdk.responses.cancel(made.id)).status, 'completed');
      await sdk.responses.delete(made.id);
      await assert.rejects(sdk.responses.retrieve(made.id), OpenAI.NotFoundError);
      await assert.rejects(
        sdk.responses.create({ model: world.model, input: 'x', previous_response_id: made.id }),
        OpenAI.NotFoundError,
      );
      assert.deepEqual(await moneyOf(world), paid);
      const logged = await requestsOf(gateway, { account_id: world.account.id, status: '200' });
      assert.ok(logged.filter(({ endpoint }) => endpoint === '/v1/responses/{id}').length >= 4);
    });

    test('are the account\u2019s own, within the scopes of the token, and out of reach for test tokens', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channels['messages'] ?? {}] });
      const made = await client(world, world.key).responses.create({ model: world.model, input: 'secret plan' });
      const other = await makeAccount(gateway, { name: `other of ${world.account.id}`, credit: '1' });
      const stranger = await makeToken(gateway, { account_id: other.id });
      const narrow = await makeToken(gateway, { account_id: world.account.id, models: ['another-model'] });
      const probe = await makeToken(gateway, { account_id: world.account.id, mode: 'test' });
      for (const [key, status] of [
        [stranger.key, 404],
        [narrow.key, 403],
        [probe.key, 404],
      ] as const)
        for (const [method, path] of [
          ['GET', made.id],
          ['GET', `${made.id}/input_items`],
          ['POST', `${made.id}/cancel`],
          ['DELETE', made.id],
        ] as const) {
          const response = await fetch(`${gateway.address}/v1/responses/${path}`, {
            method,
            headers: { authorization: `Bearer ${key}` },
          });
          await response.text();
          assert.equal(response.status, status, `${method} ${path}`);
        }
      assert.equal((await client(world, world.key).responses.retrieve(made.id)).id, made.id);
    });

    test('that an upstream keeps are bound to the scopes of the token too', async (t) => {
      const world = await makeWorld(gateway, t);
      const made = await client(world, world.key).responses.create({ model: world.model, input: 'secret plan' });
      const narrow = await makeToken(gateway, { account_id: world.account.id, models: ['another-model'] });
      for (const [method, path] of [
        ['DELETE', made.id],
        ['POST', `${made.id}/cancel`],
      ] as const) {
        const response = await fetch(`${gateway.address}/v1/responses/${path}`, {
          method,
          headers: { authorization: `Bearer ${narrow.key}` },
        });
        await readError(response, 403, 'model_not_allowed');
      }
      assert.equal((await client(world, world.key).responses.retrieve(made.id)).id, made.id);
      const replayed = await client(world, world.key).responses.retrieve(made.id, { stream: true });
      const types: string[] = [];
      for await (const event of replayed) types.push(event.type);
      assert.deepEqual([types[0], types.at(-1)], ['response.created', 'response.completed']);
    });

    test('do not exist where the caller wants nothing stored, and nothing of them is readable in the store', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channels['chat'] ?? {}] });
      const sdk = client(world, world.key);
      const made = await sdk.responses.create({ model: world.model, input: 'secret plan', store: false });
      assert.equal(storeOf(made), false);
      await assert.rejects(sdk.responses.retrieve(made.id), OpenAI.NotFoundError);
    });
  });
}

describe('with TOLLGATE_KEEP_RESPONSES_DAYS=0 (contract-2 7)', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_KEEP_RESPONSES_DAYS: '0' } });

  test('nothing is kept', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'openai', options: { speaks: ['chat'] } }] });
    const sdk = client(world, world.key);
    const made = await sdk.responses.create({ model: world.model, input: 'hello' });
    assert.equal(storeOf(made), false);
    await assert.rejects(sdk.responses.retrieve(made.id), OpenAI.NotFoundError);
  });
});

/** The library's type leaves it out. */
function storeOf(response: object): unknown {
  return (response as { store?: unknown }).store;
}
