// POST /v1/responses: the openai library gets responses whole and streamed, with tools and on from earlier ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { assertCharged, checkEndpoint, moneyOf, post, SMALL_BODY_MB } from './support/endpoint-checks.ts';
import { nano, requestsOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
};

function client({ gateway, key }: World): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

function costs(usage: OpenAI.Responses.ResponseUsage | undefined | null): bigint {
  assert.ok(usage);
  const cached = usage.input_tokens_details.cached_tokens;
  return BigInt(usage.input_tokens - cached) * 2_500n + BigInt(cached) * 1_250n + BigInt(usage.output_tokens) * 10_000n;
}

describe('/v1/responses', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: SMALL_BODY_MB } });

  test('answers the openai library, charged by usage with cached tokens at their own price', async (t) => {
    const world = await makeWorld(gateway, t);
    const { data, response } = await client(world)
      .responses.create({ model: world.model, input: 'Hello there, how are you? [[cached 3]] [[reasoning 5]]' })
      .withResponse();
    assert.equal(data.status, 'completed');
    assert.notEqual(data.output_text, '');
    const { usage } = data;
    assert.deepEqual(
      [usage?.input_tokens_details.cached_tokens, usage?.output_tokens_details.reasoning_tokens],
      [3, 5],
    );
    const logged = await assertCharged(world, response, costs(usage));
    assert.deepEqual([logged.endpoint, logged.usage_source], ['/v1/responses', 'upstream']);
    assert.deepEqual(logged.usage, {
      input_tokens: usage?.input_tokens,
      output_tokens: usage?.output_tokens,
      cached_input_tokens: 3,
      reasoning_tokens: 5,
    });
    assert.match(
      logged.arithmetic ?? '',
      /^\(\d+ input x 2\.5 \+ 3 cached_input x 1\.25 \+ \d+ output x 10\) \/ 1000000$/,
    );
  });

  test('streams typed events to the openai library, and is settled before the last of them', async (t) => {
    const world = await makeWorld(gateway, t);
    const stream = client(world).responses.stream({ model: world.model, input: 'Tell me something' });
    const types = new Set<string>();
    let text = '';
    for await (const event of stream) {
      types.add(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type !== 'response.completed') continue;
      const [logged] = await requestsOf(gateway, { account_id: world.account.id });
      assert.equal(nano(logged?.charge ?? '0'), costs(event.response.usage));
    }
    const final = await stream.finalResponse();
    assert.equal(final.output_text, text);
    for (const type of ['response.created', 'response.output_text.delta', 'response.completed'])
      assert.ok(types.has(type), type);
  });

  test('calls tools, whole and streamed', async (t) => {
    const world = await makeWorld(gateway, t);
    const asked = { model: world.model, input: 'What is the weather in Rome?', tools: [weather] };
    const whole = await client(world).responses.create(asked);
    const streamed = await client(world).responses.stream(asked).finalResponse();
    for (const { output } of [whole, streamed]) {
      const [call] = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      assert.equal(call?.name, 'get_weather');
      assert.deepEqual(Object.keys(JSON.parse(call.arguments) as object), ['city']);
    }
  });

  test('goes on from an earlier response', async (t) => {
    const world = await makeWorld(gateway, t);
    const first = await client(world).responses.create({ model: world.model, input: 'My name is Ada' });
    const second = await client(world).responses.create({
      model: world.model,
      input: 'And mine?',
      previous_response_id: first.id,
    });
    assert.equal(second.previous_response_id, first.id);
    assert.ok((second.usage?.input_tokens ?? 0) > (first.usage?.input_tokens ?? Infinity));
  });

  test('is the same bytes to the upstream with only the model renamed, streamed too', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const stream of [false, true]) {
      const body = { zeta: { a: [1.5, null] }, input: 'héllo', stream, store: false };
      const response = await post(world, '/v1/responses', body);
      assert.equal(response.status, 200, await response.text());
      assert.equal(world.calls().at(-1)?.rawBody, JSON.stringify({ model: `${world.model}.0`, ...body }));
    }
  });

  test('a response that failed moves on to the next channel', async (t) => {
    const base_url = await startStub(t, (_request, response) =>
      sendJson(response, 200, { id: 'resp_1', object: 'response', status: 'failed', error: { code: 'server_error' } }),
    );
    const world = await makeWorld(gateway, t, { channels: [{ base_url, priority: 1 }, {}] });
    const answer = await client(world).responses.create({ model: world.model, input: 'hello' });
    assert.equal(answer.status, 'completed');
  });

  test('a stream that breaks off ends with an error event of its own protocol', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'cut-3' }] });
    const raw = await (await post(world, '/v1/responses', { input: 'break', stream: true })).text();
    const last = raw.trimEnd().split('\n\n').at(-1) ?? '';
    assert.match(
      last,
      /^event: error\ndata: \{"type":"error","sequence_number":7,"code":"upstream_error","message":".+","param":null\}$/,
    );
    await assert.rejects(async () => {
      const stream = await client(world).responses.create({ model: world.model, input: 'break', stream: true });
      for await (const event of stream) if (event.type === 'error') throw new Error(event.message);
    }, /broke off|fail/);
  });

  test('a stream that fails before its first event moves on', async (t) => {
    const channels = [{ behave: 'fail-503', priority: 1 }, {}];
    const world = await makeWorld(gateway, t, { channels });
    const final = await client(world).responses.stream({ model: world.model, input: 'hello' }).finalResponse();
    assert.equal(final.status, 'completed');
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.equal(logged?.attempts.length, 2);
  });

  test('a client that leaves a stream pays for what came', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'pace-20,long-500' }] });
    const stream = await client(world).responses.create({ model: world.model, input: 'go on', stream: true });
    let pieces = 0;
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') pieces++;
      if (pieces === 5) break;
    }
    await waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'nothing was settled');
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual([logged?.status, logged?.usage_source], [499, 'counted']);
    const counted = Number(logged?.usage?.['output_tokens']);
    assert.ok(counted >= 5 && counted < 100, String(counted));
  });

  checkEndpoint(gateway, {
    path: '/v1/responses',
    body: { input: 'hello' },
    required: ['model', 'input'],
    wrong: { input: 7, stream: 'yes', max_output_tokens: '10', tools: {}, store: 'no', previous_response_id: 5 },
  });
});
