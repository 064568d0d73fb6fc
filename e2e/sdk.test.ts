// The openai client library, pointed at the gateway, works as it does with its own vendor.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { nano, requestsOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const weather: OpenAI.Chat.Completions.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
};

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

function say(content: string): Message[] {
  return [{ role: 'user', content }];
}

/** What the tokens of an answer cost at the price of every world. */
function costs(usage: { prompt_tokens: number; completion_tokens: number } | null | undefined): bigint {
  assert.ok(usage);
  return BigInt(usage.prompt_tokens) * 2_500n + BigInt(usage.completion_tokens) * 10_000n;
}

async function lastCharge({ gateway, account }: World): Promise<{ charge: bigint; source: string | null }> {
  const last = (await requestsOf(gateway, { account_id: account.id })).at(-1);
  assert.ok(last);
  return { charge: nano(last.charge), source: last.usage_source };
}

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`the openai SDK on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip, concurrency: 8 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });
    watchAnswers(gateway);

    test('does a chat and is charged by the upstream usage', async (t) => {
      const world = await makeWorld(gateway, t);
      const answer = await client(world).chat.completions.create({ model: world.model, messages: say('Hello there') });
      assert.match(answer.choices[0]?.message.content ?? '', /^You said: Hello there\./);
      assert.equal(answer.choices[0]?.finish_reason, 'stop');
      assert.equal(answer.object, 'chat.completion');
      assert.deepEqual(await lastCharge(world), { charge: costs(answer.usage), source: 'upstream' });
    });

    test('does a streamed chat and shows the usage that was asked for', async (t) => {
      const world = await makeWorld(gateway, t);
      const stream = await client(world).chat.completions.create({
        model: world.model,
        messages: say('Hello stream'),
        stream: true,
        stream_options: { include_usage: true },
      });
      let text = '';
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        usage ??= chunk.usage;
      }
      assert.match(text, /^You said: Hello stream\./);
      assert.deepEqual(await lastCharge(world), { charge: costs(usage), source: 'upstream' });
    });

    test('sees no usage in a stream when it did not ask, and is charged by it all the same', async (t) => {
      const world = await makeWorld(gateway, t);
      const messages = say('No usage wanted');
      const stream = await client(world).chat.completions.create({ model: world.model, messages, stream: true });
      for await (const chunk of stream) {
        assert.equal(chunk.usage ?? null, null);
        assert.equal(chunk.choices.length, 1, 'a chunk without a choice is the usage chunk');
      }
      const streamed = await lastCharge(world);
      const whole = await client(world).chat.completions.create({ model: world.model, messages });
      assert.deepEqual(streamed, { charge: costs(whole.usage), source: 'upstream' });
    });

    test('calls a tool, sends its result and gets the final answer', async (t) => {
      const world = await makeWorld(gateway, t);
      const messages = say('What is the weather in Paris?');
      const first = await client(world).chat.completions.create({ model: world.model, messages, tools: [weather] });
      const message = first.choices[0]?.message;
      const call = message?.tool_calls?.[0];
      assert.ok(message !== undefined && call?.type === 'function');
      assert.equal(first.choices[0]?.finish_reason, 'tool_calls');
      assert.equal(call.function.name, 'get_weather');
      const given = JSON.parse(call.function.arguments) as { city: unknown; days: unknown };
      assert.equal(typeof given.city, 'string');
      assert.ok(Number.isInteger(given.days));
      messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'Sunny, 21 degrees' });
      const second = await client(world).chat.completions.create({ model: world.model, messages, tools: [weather] });
      assert.match(second.choices[0]?.message.content ?? '', /Sunny, 21 degrees/);
    });

    test('assembles a streamed tool call', async (t) => {
      const world = await makeWorld(gateway, t);
      const completion = await client(world)
        .chat.completions.stream({ model: world.model, messages: say('weather in Rome'), tools: [weather] })
        .finalChatCompletion();
      const call = completion.choices[0]?.message.tool_calls?.[0];
      assert.ok(call?.type === 'function');
      assert.equal(call.function.name, 'get_weather');
      assert.deepEqual(Object.keys(JSON.parse(call.function.arguments) as object).sort(), ['city', 'days']);
    });

    test('lists and retrieves models', async (t) => {
      const world = await makeWorld(gateway, t, { token: { models: ['sandbox-world-*'] } });
      const ids: string[] = [];
      for await (const model of client(world).models.list()) ids.push(model.id);
      assert.ok(ids.includes(world.model));
      const model = await client(world).models.retrieve(world.model);
      assert.deepEqual(Object.keys(model).sort(), ['created', 'id', 'object', 'owned_by']);
      assert.equal(model.id, world.model);
    });

    test('raises its own error classes with code and param readable', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ keys: ['limited-1'] }] });
      const stranger = client({ gateway, key: `sk-${'x'.repeat(48)}` });
      const ask = (sdk: OpenAI, body: Record<string, unknown>): Promise<unknown> =>
        sdk.chat.completions.create({ model: world.model, messages: say('hello'), ...body });

      await assert.rejects(ask(stranger, {}), (error) => {
        assert.ok(error instanceof OpenAI.AuthenticationError);
        assert.deepEqual([error.status, error.code], [401, 'invalid_api_key']);
        assert.match(error.requestID ?? '', /^req_/);
        return true;
      });
      await assert.rejects(ask(client(world), { model: 'nobody-has-this' }), (error) => {
        assert.ok(error instanceof OpenAI.NotFoundError);
        assert.deepEqual([error.status, error.code, error.param], [404, 'model_not_found', 'model']);
        return true;
      });
      await assert.rejects(client(world).models.retrieve('nobody-has-this'), OpenAI.NotFoundError);
      await assert.rejects(ask(client(world), { temperature: 'warm' }), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        assert.deepEqual([error.status, error.code, error.param], [400, 'invalid_request', 'temperature']);
        assert.match(error.message, /temperature/);
        return true;
      });
      await assert.rejects(ask(client(world), {}), (error) => {
        assert.ok(error instanceof OpenAI.RateLimitError);
        assert.deepEqual([error.status, error.code], [429, 'upstream_rate_limited']);
        assert.ok(Number(error.headers.get('retry-after')) >= 1);
        return true;
      });
    });

    test('raises a permission error for a model outside the token list', async (t) => {
      const world = await makeWorld(gateway, t);
      const { key } = await makeToken(gateway, { account_id: world.account.id, models: ['other-*'] });
      const asked = client({ gateway, key }).chat.completions.create({ model: world.model, messages: say('hello') });
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof OpenAI.PermissionDeniedError);
        assert.deepEqual([error.status, error.code, error.param], [403, 'model_not_allowed', 'model']);
        return true;
      });
    });

    test('raises an error for a stream that broke off', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ behave: 'cut-3' }] });
      const stream = await client(world).chat.completions.create({
        model: world.model,
        messages: say('break off'),
        stream: true,
      });
      let chunks = 0;
      await assert.rejects(
        async () => {
          for await (const chunk of stream) chunks += chunk.choices.length;
        },
        (error) => error instanceof OpenAI.APIError && error.code === 'upstream_error',
      );
      assert.ok(chunks >= 3);
    });
  });
}
