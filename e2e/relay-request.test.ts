// What of a request reaches the upstream: the caller's bytes with only the gateway's own fields changed, the channel's key
// and headers, and nothing else of the caller (contract 5).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, postChat, readAnswer, readStream } from './support/chat.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

describe('a request on its way to the upstream', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  test('is the same bytes with only the model name rewritten', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = (model: string): string =>
      `{ "zeta" : [1.0, 1e2, 12345678901234567890, -0],\n\t"model":"${model}" ,"temperature":0.70,` +
      `"unknown":{"b":1,"a":{"b":1,"a":null}},"messages":[{"role":"user","content":"h\\u00e9llo \\ud83d\\ude42 é \\/"}],` +
      `"twice":1,"twice":2,"store":false,"safety_identifier":"x","":"empty name"}\r\n`;
    await readAnswer(await postChat(world, body(world.model)));
    assert.equal(world.calls()[0]?.rawBody, body(`${world.model}.0`));
  });

  test('carries every field of spec 2.10 unchanged', async (t) => {
    const world = await makeWorld(gateway, t);
    const fields = {
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop: ['never said'],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'none',
      parallel_tool_calls: false,
      response_format: { type: 'text' },
      reasoning_effort: 'low',
      modalities: ['text'],
      audio: { voice: 'v', format: 'wav' },
      metadata: { a: 'b' },
      store: true,
      service_tier: 'auto',
      safety_identifier: 'user-1',
      prefix: 'p',
      suffix: 's',
    };
    await readAnswer(await chat(world, 'all fields', fields));
    const messages = [{ role: 'user', content: 'all fields' }];
    assert.deepEqual(world.calls()[0]?.body, { model: `${world.model}.0`, messages, ...fields });
  });

  test('content parts reach the upstream as they are', async (t) => {
    const world = await makeWorld(gateway, t);
    const messages = [
      { role: 'system', content: 'be short' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        ],
      },
    ];
    await readAnswer(await postChat(world, JSON.stringify({ model: world.model, messages })));
    assert.deepEqual(world.calls()[0]?.body, { model: `${world.model}.0`, messages });
  });

  test('a stream asks the upstream for usage, and its other stream options stay', async (t) => {
    const world = await makeWorld(gateway, t);
    await readStream(await chat(world, 'one', { stream: true, last: 1 }));
    await readStream(await chat(world, 'two', { stream: true, stream_options: { include_obfuscation: false } }));
    await readStream(await chat(world, 'three', { stream: true, stream_options: null }));
    await readStream(await chat(world, 'four', { stream_options: { include_usage: false }, stream: true }));
    const sent = world.calls().map(({ body }) => body as Record<string, unknown>);
    assert.deepEqual(
      sent.map((body) => body['stream_options']),
      [
        { include_usage: true },
        { include_obfuscation: false, include_usage: true },
        { include_usage: true },
        { include_usage: true },
      ],
    );
    const { stream_options: _, ...rest } = sent[0] ?? {};
    const messages = [{ role: 'user', content: 'one' }];
    assert.deepEqual(rest, { model: `${world.model}.0`, messages, stream: true, last: 1 });
  });

  test('a stream that already asks for usage is not changed but for the model', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = (model: string): string =>
      `{"stream":true,"stream_options":{ "include_usage" : true },"model":"${model}","messages":[{"role":"user","content":"x"}]}`;
    await readStream(await postChat(world, body(world.model)));
    assert.equal(world.calls()[0]?.rawBody, body(`${world.model}.0`));
  });

  test('loses the fields that the channel drops, wherever they stand, and no others', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [
        { options: { drop_fields: ['store', 'service_tier', 'first', 'last', 'absent', 'model', 'messages'] } },
      ],
    });
    const body = (model: string, before: string, after: string): string =>
      `{${before}"model":"${model}","keep":[1, 2],"messages":[{"role":"user","content":"x","store":1}]${after}}`;
    const sent = body(world.model, '"first":{"a":[]},"store":true, ', ',"service_tier":"flex","last":null');
    await readAnswer(await postChat(world, sent));
    const { body: arrived, rawBody = '' } = world.calls()[0] ?? {};
    assert.deepEqual(Object.keys(arrived as object), ['model', 'keep', 'messages']);
    assert.deepEqual(arrived, JSON.parse(body(`${world.model}.0`, '', '')));
    assert.match(rawBody, /"keep":\[1, 2\]/);
  });

  test('carries the channel key and headers, and nothing of the headers of the caller (promise A-09)', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ keys: ['channel-key-7788'], headers: { 'x-team': 'gate', 'openai-organization': 'org-ours' } }],
    });
    const response = await chat(
      world,
      'headers',
      {},
      {
        headers: {
          cookie: 'session=secret',
          'x-custom': 'mine',
          'x-team': 'theirs',
          'x-forwarded-for': '203.0.113.9',
          forwarded: 'for=203.0.113.9',
          'x-api-key': 'sk-other',
          'openai-organization': 'org-theirs',
          'x-request-id': 'req_chosen_by_the_caller',
          'user-agent': 'callers-agent',
          'accept-encoding': 'gzip, br',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        },
      },
    );
    await readAnswer(response);
    const { headers = {}, keyHint } = world.calls()[0] ?? {};
    assert.equal(keyHint, '7788');
    const names = new Set(Object.keys(headers));
    for (const ours of ['host', 'connection', 'content-length', 'content-type', 'accept']) names.delete(ours);
    assert.deepEqual([...names].sort(), ['accept-encoding', 'openai-organization', 'x-team']);
    assert.equal(headers['accept-encoding'], 'identity');
    assert.equal(headers['x-team'], 'gate');
    assert.equal(headers['openai-organization'], 'org-ours');
    assert.ok(!JSON.stringify(headers).includes(world.key));
    assert.notEqual(response.headers.get('x-request-id'), 'req_chosen_by_the_caller');
  });

  test('goes to the channel address whatever the caller writes into path, query or host (promise A-09)', async (t) => {
    const world = await makeWorld(gateway, t);
    const init = { path: '/v1/chat/completions?url=http://203.0.113.1/&model=other', headers: { host: '203.0.113.1' } };
    await readAnswer(await chat(world, 'where', { base_url: 'http://203.0.113.1/v1', api_key: 'mine' }, init));
    const [call] = world.calls();
    assert.equal(call?.path, '/openai/v1/chat/completions');
    assert.equal(call.headers['host'], new URL(gateway.upstream.address).host);
  });

  test('two channels get the same request, each with its own name for the model', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500', priority: 1 }, {}] });
    await readAnswer(await chat(world, 'twice', { extra: [1] }));
    const sent = world.calls().map(({ body }) => body as Record<string, unknown>);
    assert.deepEqual(
      sent.map((body) => body['model']),
      [`${world.model}.0`, `${world.model}.1`],
    );
    assert.deepEqual({ ...sent[0], model: '' }, { ...sent[1], model: '' });
  });

  test('the answer of the upstream reaches the caller byte for byte, its headers do not', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await chat(world, 'what model are you?');
    const answer = await readAnswer(response);
    assert.equal(answer.model, `${world.model}.0`);
    assert.match(response.headers.get('x-request-id') ?? '', /^req_(?!sandbox)/);
    assert.equal(response.headers.get('content-type'), 'application/json');
  });
});
