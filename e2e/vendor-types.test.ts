// Contract-2 7, "nothing half said": what the gateway answers on paths that no grid covers is what the vendors' published
// types say. docs/lab/vendor-types.md lists where those types are wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeWorld, suiteGateway, type World } from './support/world.ts';
import { watchAnswers } from './support/watch-answers.ts';

const IMAGE = { unit: 'image', amount: '0.01' } as const;

describe('answers of the gateway', async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  const post = async (world: World, path: string, body: object): Promise<string> => {
    const response = await fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2026-10-21',
      },
      body: JSON.stringify({ model: world.model, ...body }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };

  test('vectors and judgements', async (t) => {
    const world = await makeWorld(gateway, t);
    await post(world, '/v1/embeddings', { input: ['a', 'b'] });
    await post(world, '/v1/embeddings', { input: 'a', encoding_format: 'base64' });
    await post(world, '/v1/moderations', { input: 'a' });
  });

  test('vectors of a generate-content upstream', async (t) => {
    const base_url = gateway.upstream.baseUrl('gemini');
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'gemini', base_url }] });
    await post(world, '/v1/embeddings', { input: ['a', 'b'] });
    await post(world, `/v1beta/models/${world.model}:embedContent`, { content: { parts: [{ text: 'a' }] } });
    await post(world, `/v1beta/models/${world.model}:countTokens`, { contents: [{ parts: [{ text: 'a' }] }] });
  });

  test('pictures', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: IMAGE } });
    await post(world, '/v1/images/generations', { prompt: 'A boat', size: '64x64', n: 2 });
    await post(world, '/v1/images/generations', { prompt: 'A boat', size: '64x64', stream: true, partial_images: 1 });
  });

  test('text of a chat upstream on every path of a client', async (t) => {
    const world = await makeWorld(gateway, t);
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const stream of [false, true]) {
      await post(world, '/v1/completions', { prompt: 'Hello', stream });
      await post(world, '/v1/responses', { input: 'Hello', stream });
      await post(world, '/v1/chat/completions', { messages, n: 2, stream });
    }
  });

  test("ids and names beyond an upstream's limits are fitted to it, and come back as they were (contract-2 7)", async (t) => {
    const name = 'n'.repeat(120);
    const tools = [{ name, input_schema: { type: 'object', properties: {} } }];
    const id = `toolu_${'x'.repeat(100)}`;
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      { role: 'assistant', content: 'Done' },
      { role: 'user', content: 'use the tool' },
    ];
    for (const options of [{ speaks: ['chat'] }, { speaks: ['responses'] }]) {
      const world = await makeWorld(gateway, t, { channels: [{ options }] });
      const answer = await post(world, '/v1/messages', { max_tokens: 100, messages, tools });
      assert.ok(answer.includes(`"name":"${name}"`), answer);
    }
  });
});
