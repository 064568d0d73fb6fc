import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import { readChannelOptions } from '../catalogue/channel-options.ts';
import { UpstreamClient } from '../providers/call-upstream.ts';
import type { Router } from '../routing/candidates.ts';
import { ChannelKey } from '../routing/channel-key.ts';
import { Channel } from '../routing/channel.ts';
import { type ChannelTestResult, testChannel } from './test-channel.ts';

const clock = { now: () => 0 };

async function testOne(
  t: TestContext,
  provider: string,
  answer: RequestListener,
  { options = '{}', model = {} }: { options?: string; model?: Partial<Model> } = {},
): Promise<ChannelTestResult> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new UpstreamClient();
  t.after(async () => {
    await client.close();
    server.close();
  });
  const facts = {
    id: 'c',
    name: 'c',
    provider,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    models: new Map([['film', 'vendor-film']]),
    groups: [],
    priority: 0,
    weight: 1,
    enabled: true,
    sandbox: false,
    headers: { 'x-tenant': 'tenant-77' },
    options: readChannelOptions(options),
    keys: [],
  };
  const channel = new Channel(facts, [new ChannelKey('k', 'secret-key-1234')], clock);
  const router = { channels: () => [channel] } as unknown as Router;
  const catalogue = { models: new Map([['film', { endpointTypes: [], ...model }]]) } as unknown as Catalogue;
  return testChannel({ client, router, catalogue }, { channelId: 'c', model: 'film' });
}

test('a channel of videos is tested by one GET with its key and headers, which makes nothing', async (t) => {
  for (const [provider, path, body] of [
    ['alpha', '/api/v1/tasks/00000000-0000-0000-0000-000000000000', { output: { task_status: 'UNKNOWN' } }],
    ['beta-video', '/contents/generations/tasks?page_num=1&page_size=1', { items: [], total: 0 }],
  ] as const) {
    const seen: unknown[] = [];
    const result = await testOne(t, provider, ({ method, url, headers }, response) => {
      seen.push([method, url, headers.authorization, headers['x-tenant']]);
      response.end(JSON.stringify(body));
    });
    assert.deepEqual(seen, [['GET', path, 'Bearer secret-key-1234', 'tenant-77']]);
    assert.deepEqual([result.ok, result.status], [true, 200]);
    assert.match(result.message, /the model was not tried/);
  }
});

test('a channel of videos whose key is refused fails its test, with the words of the upstream', async (t) => {
  const result = await testOne(t, 'alpha', (_request, response) => {
    response.writeHead(401).end('{"code":"InvalidApiKey","message":"Invalid API-key secret-key-1234."}');
  });
  assert.deepEqual(
    [result.ok, result.status, result.message],
    [false, 401, 'Invalid API-key [hidden]. Check the "keys" of the channel.'],
  );
});

test('an answer that is not of the provider proves nothing', async (t) => {
  for (const provider of ['alpha', 'beta-video']) {
    const result = await testOne(t, provider, (_request, response) => response.end('{"hello":"world"}'));
    assert.deepEqual([result.ok, result.status], [false, 200]);
    assert.match(result.message, /not in the protocol/);
  }
});

test('a channel that lacks chat completions is tested in a protocol that it has (contract 3)', async (t) => {
  const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
  const paths: unknown[] = [];
  const result = await testOne(
    t,
    'openai',
    ({ url }, response) => {
      paths.push(url);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    { options: '{"speaks":["responses"]}' },
  );
  assert.deepEqual([result.ok, paths], [true, ['/responses']], result.message);
});

test('a model that is not asked in words is tried as what it is, or its upstream is only looked at', async (t) => {
  const ask = async (provider: string, model: Partial<Model>): Promise<unknown[]> => {
    const seen: unknown[] = [];
    const result = await testOne(
      t,
      provider,
      ({ method, url }, response) => {
        seen.push(`${method} ${url}`);
        const item = { object: 'embedding', index: 0, embedding: [0.1] };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ object: 'list', data: [item], models: [], usage: { prompt_tokens: 1 } }));
      },
      { model },
    );
    return [...seen, result.ok];
  };
  assert.deepEqual(await ask('openai', { endpointTypes: ['embeddings'] }), ['POST /embeddings', true]);
  assert.deepEqual(await ask('openai', { endpointTypes: ['image-generation'] }), ['GET /models', true]);
  const speech = { price: { unit: 'characters' } } as Partial<Model>;
  assert.deepEqual(await ask('openai', speech), ['GET /models', true]);
  const vectors = await ask('gemini', { endpointTypes: ['embeddings'] });
  assert.deepEqual(vectors, ['GET /v1beta/models?pageSize=1', true]);
});
