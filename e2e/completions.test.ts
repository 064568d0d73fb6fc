// POST /v1/completions: the openai library does its legacy completions, and every call is charged by the usage.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { assertCharged, checkEndpoint, moneyOf, post, SMALL_BODY_MB } from './support/endpoint-checks.ts';
import { nano, requestsOf } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: World): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 4 });
}

function costs(usage: { prompt_tokens: number; completion_tokens: number } | undefined | null): bigint {
  assert.ok(usage);
  return BigInt(usage.prompt_tokens) * 2_500n + BigInt(usage.completion_tokens) * 10_000n;
}

describe('/v1/completions', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: SMALL_BODY_MB } });
  watchAnswers(gateway);

  test('completes a prompt with the openai library', async (t) => {
    const world = await makeWorld(gateway, t);
    const { data, response } = await client(world)
      .completions.create({ model: world.model, prompt: 'Once upon a time' })
      .withResponse();
    assert.equal(data.object, 'text_completion');
    assert.notEqual(data.choices[0]?.text, '');
    const logged = await assertCharged(world, response, costs(data.usage));
    assert.deepEqual([logged.endpoint, logged.usage_source], ['/v1/completions', 'upstream']);
    const { prompt_tokens: input, completion_tokens: output } = data.usage ?? {};
    assert.equal(logged.arithmetic, `(${input} input x 2.5 + ${output} output x 10) / 1000000`);
  });

  test('streams with the openai library, and shows the usage only when asked', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const include_usage of [true, false]) {
      const stream = await client(world).completions.create({
        model: world.model,
        prompt: 'Once upon a time',
        stream: true,
        stream_options: { include_usage },
      });
      let text = '';
      let usage: OpenAI.CompletionUsage | undefined;
      for await (const chunk of stream) {
        assert.equal(chunk.object, 'text_completion');
        text += chunk.choices[0]?.text ?? '';
        usage = chunk.usage ?? usage;
      }
      assert.notEqual(text, '');
      assert.equal(usage !== undefined, include_usage);
      const last = (await requestsOf(gateway, { account_id: world.account.id })).at(-1);
      assert.equal(last?.usage_source, 'upstream');
      if (usage !== undefined) assert.equal(nano(last.charge), costs(usage));
    }
    const [, asked] = world.calls();
    assert.match(asked?.rawBody ?? '', /"stream_options":\{"include_usage":true\}/);
  });

  test('answers every prompt of a list, and holds for all of them', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await post(world, '/v1/completions', { prompt: ['one', 'two'], n: 2, max_tokens: 100 });
    const { choices, usage } = (await response.json()) as OpenAI.Completion;
    assert.equal(choices.length, 4);
    await assertCharged(world, response, costs(usage));
    const { hold = 0n } = await moneyOf(world);
    assert.ok(hold >= 400n * 10_000n, String(hold));
  });

  test('is the same bytes to the upstream with only the model renamed', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = { zeta: [1, null], prompt: 'héllo', logit_bias: { 50256: -100 }, echo: false };
    const response = await post(world, '/v1/completions', body);
    assert.equal(response.status, 200, await response.text());
    assert.equal(world.calls()[0]?.rawBody, JSON.stringify({ model: `${world.model}.0`, ...body }));
  });

  test('charges a price per request once', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: { unit: 'request', amount: '0.002' } } });
    const response = await post(world, '/v1/completions', { prompt: 'hello' });
    const logged = await assertCharged(world, response, 2_000_000n);
    assert.equal(logged.arithmetic, '0.002 per request');
  });

  test('a client that leaves a stream pays for what came', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'pace-20,long-500' }] });
    const stream = await client(world).completions.create({ model: world.model, prompt: 'go on', stream: true });
    let chunks = 0;
    for await (const chunk of stream) if ((chunks += chunk.choices.length) >= 5) break;
    await waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'nothing was settled');
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual([logged?.status, logged?.usage_source], [499, 'counted']);
    const counted = Number(logged?.usage?.['output_tokens']);
    assert.ok(counted >= 5 && counted < 100, String(counted));
  });

  test('a stream that breaks ends with an error that the openai library raises', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'cut-3' }] });
    const stream = await client(world).completions.create({ model: world.model, prompt: 'break', stream: true });
    await assert.rejects(
      async () => {
        for await (const chunk of stream) assert.ok(chunk.choices);
      },
      (error) => error instanceof OpenAI.APIError && error.code === 'upstream_error',
    );
  });

  checkEndpoint(gateway, {
    path: '/v1/completions',
    body: { prompt: 'Once upon a time' },
    required: ['model', 'prompt'],
    // Every field of spec 2.10 that has a type.
    wrong: {
      prompt: 7,
      stream: 'yes',
      stream_options: [],
      max_tokens: '10',
      max_completion_tokens: 1.5,
      n: 0,
      best_of: '2',
      temperature: 'hot',
      top_p: '1',
      top_k: [],
      stop: 7,
      tools: {},
      tool_choice: 7,
      parallel_tool_calls: 'no',
      response_format: 'json',
      reasoning_effort: 3,
      modalities: 'text',
      audio: 'loud',
      metadata: 'x',
    },
  });
});
