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

  const post = async (world: World, path: string, body: object): Promise<void> => {
    const response = await fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: world.model, ...body }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
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
});
