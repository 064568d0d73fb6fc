// POST /v1/embeddings and /v1/moderations: the openai library gets vectors and verdicts, charged by what went in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { assertCharged, checkEndpoint, moneyOf, post, SMALL_BODY_MB } from './support/endpoint-checks.ts';
import { makeChannel, makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: World): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

describe('/v1/embeddings', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: SMALL_BODY_MB } });

  test('gives the openai library vectors as numbers', async (t) => {
    const world = await makeWorld(gateway, t);
    const { data, response } = await client(world)
      .embeddings.create({ model: world.model, input: ['a cat', 'a dog'], encoding_format: 'float' })
      .withResponse();
    assert.deepEqual(
      data.data.map(({ index, object }) => [index, object]),
      [
        [0, 'embedding'],
        [1, 'embedding'],
      ],
    );
    assert.ok(data.data.every(({ embedding }) => embedding.length > 8 && embedding.every(Number.isFinite)));
    const input = data.usage.prompt_tokens;
    const logged = await assertCharged(world, response, BigInt(input) * 2_500n);
    assert.equal(logged.arithmetic, `(${input} input x 2.5 + 0 output x 10) / 1000000`);
    assert.deepEqual([logged.endpoint, logged.usage_source], ['/v1/embeddings', 'upstream']);
    assert.deepEqual(logged.usage, { input_tokens: input, output_tokens: 0 });
  });

  test('gives vectors as base64, which the library turns into the same numbers', async (t) => {
    const world = await makeWorld(gateway, t);
    const asked = { model: world.model, input: 'the same words' };
    const numbers = await client(world).embeddings.create({ ...asked, encoding_format: 'float' });
    const turned = await client(world).embeddings.create(asked); // the library itself asks for base64
    assert.match(world.calls()[1]?.rawBody ?? '', /"encoding_format":"base64"/);
    const pairs = (turned.data[0]?.embedding ?? []).map((value, at) => [value, numbers.data[0]?.embedding[at] ?? NaN]);
    assert.ok(pairs.length > 8);
    assert.ok(pairs.every(([one = NaN, other = NaN]) => Math.abs(one - other) < 1e-6));
    const raw = await post(world, '/v1/embeddings', { input: 'the same words', encoding_format: 'base64' });
    assert.equal(typeof ((await raw.json()) as { data: { embedding: unknown }[] }).data[0]?.embedding, 'string');
  });

  test('holds for the input alone', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await post(world, '/v1/embeddings', { input: 'few words' });
    assert.equal(response.status, 200);
    const { hold = 0n } = await moneyOf(world);
    assert.ok(hold < 100n * 2_500n, String(hold));
  });

  test('counts by size when the upstream tells no usage, or one that cannot be true', async (t) => {
    const body = { input: 'x'.repeat(200) };
    for (const behave of ['no-usage', 'usage-negative', 'usage-absurd', 'usage-text']) {
      const world = await makeWorld(gateway, t, { channels: [{ behave }] });
      const response = await post(world, '/v1/embeddings', body);
      const size = JSON.stringify({ model: world.model, ...body }).length;
      const logged = await assertCharged(world, response, BigInt(Math.ceil(size / 4)) * 2_500n);
      assert.equal(logged.usage_source, 'estimated', behave);
    }
  });

  checkEndpoint(gateway, {
    path: '/v1/embeddings',
    body: { input: 'hello' },
    required: ['model', 'input'],
    wrong: { input: 7, encoding_format: 1, dimensions: 'many' },
  });
});

describe('/v1/moderations', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: SMALL_BODY_MB } });
  const price = { unit: 'request', amount: '0.0001' } as const;

  test('gives the openai library a verdict for each input', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price } });
    const { data, response } = await client(world)
      .moderations.create({ model: world.model, input: ['good morning', 'good night'] })
      .withResponse();
    assert.equal(data.results.length, 2);
    assert.ok(data.results.every(({ flagged }) => typeof flagged === 'boolean'));
    const logged = await assertCharged(world, response, 100_000n);
    assert.deepEqual([logged.endpoint, logged.arithmetic], ['/v1/moderations', '0.0001 per request']);
  });

  test('asks the default model when none is named', async (t) => {
    const model = 'omni-moderation-latest';
    await gateway.operator('PUT', `/models/${model}`, { price });
    await makeChannel(gateway, { [model]: 'sandbox-moderation' });
    const world = await makeWorld(gateway, t);
    const { data, response } = await client(world).moderations.create({ input: 'hello' }).withResponse();
    assert.equal(data.results.length, 1);
    const logged = await assertCharged(world, response, 100_000n);
    assert.equal(logged.model, model);
    const call = gateway.upstream.records.find(({ rawBody }) => rawBody.includes('sandbox-moderation'));
    assert.equal(call?.rawBody, '{"input":"hello","model":"sandbox-moderation"}');
  });

  test('a price per token is charged by size where the upstream tells no usage', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'no-usage' }] });
    const body = { input: 'x'.repeat(400) };
    const response = await post(world, '/v1/moderations', body);
    const size = JSON.stringify({ model: world.model, ...body }).length;
    await assertCharged(world, response, BigInt(Math.ceil(size / 4)) * 2_500n);
  });

  checkEndpoint(gateway, {
    path: '/v1/moderations',
    body: { input: 'hello' },
    required: ['input'],
    wrong: { input: 7, model: 5 },
    world: { model: { price } },
  });
});
