// Lists whose items are not what they must be: 400 that names the item, before anything is sent or held (contract 4).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../support/chat.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';

const gateway = await suiteGateway();

const CASES: [path: string, body: object, param: string][] = [
  ['/v1/chat/completions', { messages: ['hi'] }, 'messages[0]'],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }, null] }, 'messages[1]'],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }], tools: ['f'] }, 'tools[0]'],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }], stop: ['a', 1] }, 'stop[1]'],
  ['/v1/responses', { input: [{ role: 'user', content: 'a' }, 7] }, 'input[1]'],
  ['/v1/embeddings', { input: ['a', 1] }, 'input[1]'],
  ['/v1/embeddings', { input: [1, [2]] }, 'input[1]'],
  ['/v1/embeddings', { input: [{}] }, 'input[0]'],
  ['/v1/completions', { prompt: ['a', 1] }, 'prompt[1]'],
  ['/v1/images/generations', { prompt: 'a', watermark: 'maybe' }, 'watermark'],
  ['/v1/images/edits', { prompt: 'a', image: [1] }, 'image[0]'],
];

test('items of the wrong kind are 400 by name', async (t) => {
  const world = await makeWorld(gateway, t);
  for (const [path, body, param] of CASES) {
    const response = await fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: world.model, ...body }),
    });
    const error = await readError(response, 400, 'invalid_request');
    assert.equal(error.param, param, path);
  }
  assert.equal(world.calls().length, 0, 'nothing was sent');
});

test('a watermark that is a word, and an unknown kind of content, of a video (spec 2.5, 2.6)', async (t) => {
  const world = await makeWorld(gateway, t, {
    channels: [],
    model: { price: { unit: 'video_tokens', generate: '7', video_input: '4.3' } } as never,
  });
  await gateway.operator('POST', '/channels', {
    name: world.model,
    provider: 'beta-video',
    base_url: gateway.upstream.baseUrl('beta-video'),
    keys: ['upstream-key-0001'],
    models: { [world.model]: 'beta-2-0-260128' },
  });
  for (const [metadata, param] of [
    [{ watermark: 'maybe' }, 'metadata.watermark'],
    [{ content: [{ type: 'sculpture_url', sculpture_url: { url: 'https://m.test/1' } }] }, 'metadata.content[0].type'],
  ] as const) {
    const response = await fetch(`${gateway.address}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: world.model, prompt: 'a boat', metadata }),
    });
    assert.equal((await readError(response, 400, 'invalid_request')).param, param);
  }
});
