// /v1/responses/input_tokens and /v1/responses/compact: what an upstream of the same protocol says about a conversation
// (issue "every client works unchanged", point 3).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { readError } from './support/chat.ts';
import { assertCharged, moneyOf, post } from './support/endpoint-checks.ts';
import { requestsOf } from './support/money.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

const COUNT = '/v1/responses/input_tokens';
const COMPACT = '/v1/responses/compact';

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

describe('conversations of /v1/responses', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  const anthropic = { provider: 'anthropic' as const, base_url: gateway.upstream.baseUrl('anthropic') };

  for (const provider of ['openai', 'azure'] as const) {
    test(`are counted by the upstream and compacted for its usage, with the openai library (${provider})`, async (t) => {
      const world = await makeWorld(gateway, t, {
        channels: [{ provider, base_url: gateway.upstream.baseUrl(provider) }],
      });
      const sdk = client(world);
      const ask = { model: world.model, input: 'Remember the milk', instructions: 'Be brief.' };
      const made = await sdk.responses.create(ask);
      const counted = await sdk.responses.inputTokens.count(ask);
      assert.deepEqual(counted, { object: 'response.input_tokens', input_tokens: made.usage?.input_tokens });
      const further = await sdk.responses.inputTokens.count({ model: world.model, previous_response_id: made.id });
      assert.ok(further.input_tokens > counted.input_tokens, 'the earlier response counts too');

      const compacted = await sdk.responses.compact({ model: world.model, previous_response_id: made.id });
      assert.deepEqual(
        compacted.output.map(({ type }) => type),
        ['message', 'compaction'],
      );
      const next = await sdk.responses.create({
        model: world.model,
        input: [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), { role: 'user', content: 'And now?' }],
      });
      assert.match(next.output_text, /And now\?/);
      const logged = await requestsOf(gateway, { account_id: world.account.id });
      const { input_tokens, output_tokens } = compacted.usage;
      const charge = (BigInt(input_tokens) * 2_500n + BigInt(output_tokens) * 10_000n).toString().padStart(10, '0');
      assert.deepEqual(
        logged.slice(1, 4).map((row) => [row.endpoint, row.status, row.charge]),
        [
          [COUNT, 200, '0'],
          [COUNT, 200, '0'],
          [COMPACT, 200, `${charge.slice(0, -9)}.${charge.slice(-9)}`.replace(/0+$/, '')],
        ],
      );
    });
  }

  test('are estimated where no upstream counts, and where it does not know the path', async (t) => {
    const foreign = await makeWorld(gateway, t, { channels: [anthropic] });
    const chatOnly = await makeWorld(gateway, t, { channels: [{ options: { speaks: ['chat'] } }] });
    const lacking = await makeWorld(gateway, t, { channels: [{ behave: 'fail-404' }] });
    for (const world of [foreign, chatOnly, lacking]) {
      const counted = await post(world, COUNT, { input: 'Hello there' });
      assert.equal(counted.headers.get('x-tollgate-usage-source'), 'estimated');
      const { object, input_tokens } = (await counted.json()) as { object: string; input_tokens: number };
      assert.deepEqual([object, input_tokens > 0 && input_tokens < 200], ['response.input_tokens', true]);
      assert.deepEqual(await moneyOf(world), {});
    }
  });

  test('of translated models are counted with what the gateway keeps of them (contract-2 7)', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [anthropic] });
    const sdk = client(world);
    const made = await sdk.responses.create({ model: world.model, input: 'many words '.repeat(300) });
    const alone = await sdk.responses.inputTokens.count({ model: world.model, input: 'Go on' });
    const both = await sdk.responses.inputTokens.count({
      model: world.model,
      input: 'Go on',
      previous_response_id: made.id,
    });
    assert.ok(both.input_tokens > alone.input_tokens + 300, `${alone.input_tokens} and ${both.input_tokens}`);
  });

  test('are compacted by nobody else: 400 that names where the model is served', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [anthropic] });
    const error = await readError(await post(world, COMPACT, { input: 'Hello' }), 400, 'invalid_request');
    assert.equal(error.param, 'model');
    assert.match(error.message, /It is served at \/v1\/chat\/completions and \/v1\/responses\.$/);
    assert.deepEqual(await moneyOf(world), {});
  });

  test("of another account, out of a token's scope or without input are refused, and hold nothing", async (t) => {
    const world = await makeWorld(gateway, t);
    const other = await makeWorld(gateway, t);
    const made = await client(world).responses.create({ model: world.model, input: 'Remember' });
    const stranger = { model: other.model, previous_response_id: made.id };
    const scoped = await makeToken(gateway, { account_id: other.account.id, models: ['something-else'] });
    for (const path of [COUNT, COMPACT]) {
      const foreign = await readError(await post(other, path, stranger), 404, 'not_found');
      assert.equal(foreign.param, 'previous_response_id');
      const missing = await readError(await post(other, path, {}), 400, 'invalid_request');
      assert.equal(missing.param, 'input');
      const outside = await post({ ...other, key: scoped.key }, path, { input: 'Hello' });
      await readError(outside, 403, 'model_not_allowed');
    }
    assert.deepEqual(await moneyOf(other), {});
  });

  test('whose compaction fails cost nothing, and another channel is asked', async (t) => {
    const failing = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }] });
    const refused = await post(failing, COMPACT, { input: 'Hello' });
    assert.equal(refused.status, 502, await refused.text());
    assert.equal((await moneyOf(failing))['settle'], undefined);
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }, { priority: -1 }] });
    const response = await post(world, COMPACT, { input: 'Hello' });
    const { usage } = (await response.json()) as { usage: { input_tokens: number; output_tokens: number } };
    await assertCharged(world, response, BigInt(usage.input_tokens) * 2_500n + BigInt(usage.output_tokens) * 10_000n);
  });
});
