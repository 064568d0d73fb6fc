// Errors for a caller who did something wrong: enough to do it right the next time (contract 4).
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, test } from 'node:test';
import { chat, postChat, readError } from './support/chat.ts';
import { post } from './support/endpoint-checks.ts';
import { OPERATOR_KEY } from './support/gateway.ts';
import { balanceOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

describe('errors that help', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);
  const anthropic = { provider: 'anthropic' as const, base_url: gateway.upstream.baseUrl('anthropic') };

  test('a path of a vendor that is not served is 404 in the shape of its clients, without a hint that leads in a circle', async (t) => {
    const world = await makeWorld(gateway, t);
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    for (const path of ['/v1/conversations', '/v1/vector_stores', '/v1/threads', '/v2/tokenize']) {
      const response = await fetch(gateway.address + path, { method: 'POST', headers, body: '{}' });
      const { message } = await readError(response, 404, 'not_found');
      assert.match(message, /^There is nothing at [^ ]+( address)?\.$/, path);
    }
    const native = await fetch(`${gateway.address}/v1beta/corpora`, { method: 'POST', headers, body: '{}' });
    const { error } = (await native.json()) as { error: { status: string; message: string } };
    assert.deepEqual([native.status, error.status], [404, 'NOT_FOUND']);
    assert.ok(!error.message.includes('Did you mean'));
  });

  test('a value that the provider does not take as it is, is named, and refused where the caller is strict', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [anthropic] });
    const answer = await chat(world, 'Hello', { temperature: 1.5 });
    assert.deepEqual([answer.status, answer.headers.get('x-tollgate-dropped')], [200, 'temperature']);
    await answer.text();
    const headers = { 'x-tollgate-strict': 'true' };
    const refused = await readError(
      await chat(world, 'Hello', { temperature: 1.5 }, { headers }),
      400,
      'invalid_request',
    );
    assert.match(refused.message, /'temperature'/);
    const kept = await chat(world, 'Hello', { temperature: 0.5 }, { headers });
    assert.deepEqual([kept.status, kept.headers.get('x-tollgate-dropped')], [200, null]);
    await kept.text();
  });

  test('a user who says nothing is named, not answered as if something else was said; nothing is sent or charged', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [anthropic] });
    const before = await balanceOf(gateway, world.account.id);
    const { model } = world;
    const unknown = [{ type: 'txt', text: 'hi' }];
    const audio = [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }];
    const bodies: [string, object, string][] = [
      ['/v1/chat/completions', { messages: [{ role: 'user', content: audio }] }, 'messages[0].content[0]'],
      ['/v1/chat/completions', { messages: [{ role: 'user' }] }, 'messages[0].content'],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: '' }] }, 'messages[0].content'],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: [] }] }, 'messages[0].content'],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: unknown }] }, 'messages[0].content[0]'],
      ['/v1/responses', { input: [{ role: 'user' }] }, 'input[0].content'],
      ['/v1/responses', { input: [{ type: 'foo' }] }, 'input[0]'],
      ['/v2/chat', { messages: [{ role: 'user' }] }, 'messages[0].content'],
    ];
    for (const [path, body, field] of bodies) {
      const response = await postChat(world, JSON.stringify({ model, ...body }), { path });
      const text = await response.text();
      assert.deepEqual([response.status, text.includes(`'${field}'`)], [400, true], `${path}: ${text}`);
    }
    const native = await postChat(world, JSON.stringify({ contents: [{ parts: [{ txt: 'x' }] }] }), {
      path: `/v1beta/models/${model}:generateContent`,
    });
    const { error } = (await native.json()) as { error: { status: string; message: string } };
    assert.deepEqual([native.status, error.status], [400, 'INVALID_ARGUMENT']);
    assert.match(error.message, /'contents\[0\]\.parts\[0\]'/);
    assert.equal(world.calls().length, 0);
    assert.equal(await balanceOf(gateway, world.account.id), before);
    const system = [{ role: 'system', content: 'Say hello.' }];
    const alone = await postChat(world, JSON.stringify({ model, messages: system }));
    assert.equal(alone.status, 200, await alone.text());
    const earlier = [
      { role: 'user', content: unknown },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'c' },
    ];
    const goesOn = await postChat(world, JSON.stringify({ model, messages: earlier }));
    assert.equal(goesOn.status, 200, await goesOn.text());
    assert.equal(goesOn.headers.get('x-tollgate-dropped'), 'messages[0].content[0]');
  });

  test('a strict header that says neither true nor false is refused', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const value of ['1', 'yes', '', 'true, true']) {
      const headers = { 'x-tollgate-strict': value };
      const refused = await readError(await chat(world, 'Hello', {}, { headers }), 400, 'invalid_request');
      assert.deepEqual(
        [refused.param, /x-tollgate-strict.*true or false/.test(refused.message)],
        ['x-tollgate-strict', true],
      );
    }
    const taken = await chat(world, 'Hello', {}, { headers: { 'x-tollgate-strict': 'True' } });
    assert.equal(taken.status, 200);
    await taken.text();
  });

  test('a response that another provider keeps cannot be gone on from, and the error says why', async (t) => {
    const world = await makeWorld(gateway, t);
    const other = await makeWorld(gateway, t, { channels: [anthropic] });
    const made = await post(world, '/v1/responses', { input: 'Remember the milk' });
    const { id } = (await made.json()) as { id: string };
    const body = { model: other.model, input: 'Go on', previous_response_id: id };
    const error = await readError(await post(world, '/v1/responses', body), 400, 'invalid_request');
    assert.equal(error.param, 'previous_response_id');
    assert.match(error.message, /kept by a provider that does not serve the model/);
    assert.ok(error.message.includes(other.model));
  });

  test('too little money: the message says what is left, and which field of this endpoint makes it cheaper', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '0.00001' });
    const content = { contents: [{ parts: [{ text: 'Hello' }] }] };
    const calls: [string, Record<string, unknown>, RegExp][] = [
      ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }, /lower max_tokens\./],
      ['/v1/responses', { input: 'Hello' }, /lower max_output_tokens\./],
      [`/v1beta/models/${world.model}:generateContent`, content, /lower generationConfig\.maxOutputTokens\./],
      ['/v1/embeddings', { input: 'Hello '.repeat(50) }, /for credit\.$/],
    ];
    for (const [path, body, advice] of calls) {
      const response = await post(world, path, body);
      assert.equal(response.status, 402, path);
      const { error } = (await response.json()) as { error: { message: string } };
      assert.match(error.message, advice);
      assert.ok(error.message.includes('balance (0.00001 left)'), error.message);
    }
    const poor = await makeWorld(gateway, t, { token: { quota: '0.00002' } });
    const refused = await readError(await chat(poor, 'Hello'), 402, 'insufficient_quota');
    assert.match(refused.message, /quota \(0\.00002 left\)/);
  });

  test('a model at the wrong endpoint: the message names it, and where it is served', async (t) => {
    const price = { unit: 'image', amount: '0.04' } as const;
    const image = await makeWorld(gateway, t, { model: { price } });
    const sold = await readError(await chat(image, 'Hello'), 400, 'invalid_request');
    assert.ok(sold.message.includes(`"${image.model}" is sold per image`), sold.message);
    assert.match(sold.message, /It is served at \/v1\/images\/generations\.$/);
    const text = await makeWorld(gateway, t, { channels: [anthropic] });
    const unsupported = await readError(await post(text, '/v1/embeddings', { input: 'Hello' }), 400, 'invalid_request');
    assert.equal(unsupported.param, 'model');
    assert.ok(unsupported.message.includes(`"${text.model}" cannot be used at this endpoint`), unsupported.message);
    assert.match(unsupported.message, /It is served at \/v1\/chat\/completions and \/v1\/responses\.$/);
    for (const path of ['/v1/video/generations', '/v1/videos']) {
      const still = await readError(await post(text, path, { prompt: 'a boat' }), 400, 'invalid_request');
      assert.equal(still.param, 'model');
      assert.match(
        still.message,
        /is sold per tokens.* It is served at \/v1\/chat\/completions and \/v1\/responses\.$/,
      );
      const body = { endpoint: path, body: { model: text.model, prompt: 'a boat' } };
      const quoted = await readError(await post(text, '/v1/quote', body), 400, 'invalid_request');
      assert.equal(quoted.message, still.message, 'a quote gets the same error');
    }
  });

  test('an unknown model: the message points to the list, and says what a test key reaches', async (t) => {
    const world = await makeWorld(gateway, t);
    const unknown = { ...world, model: 'gpt-9' };
    const live = await readError(await chat(unknown, 'Hello'), 404, 'model_not_found');
    assert.match(live.message, /GET \/v1\/models/);
    assert.doesNotMatch(live.message, /test/);
    const { key } = await makeToken(gateway, { account_id: world.account.id, mode: 'test' });
    const tested = await readError(await chat({ ...unknown, key }, 'Hello'), 404, 'model_not_found');
    assert.match(tested.message, /test API key, which reaches only models of the sandbox\. GET \/v1\/models/);
  });

  test('a missing key: the message says where this endpoint reads one, and where one was sent in vain', async (t) => {
    const { key } = await makeWorld(gateway, t);
    const reported = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
      const response = await fetch(gateway.address + path, { method: 'POST', headers });
      assert.equal(response.status, 401, path);
      const { error } = (await response.json()) as { error: { message: string } };
      assert.ok(!error.message.includes(key));
      return error.message;
    };
    assert.match(await reported('/v1/messages'), /"x-api-key: <API_KEY>"/);
    assert.match(await reported('/v1beta/models/m:generateContent'), /"x-goog-api-key: <API_KEY>".*"\?key=<API_KEY>"/);
    assert.match(await reported(`/v1/chat/completions?key=${key}`), /the query "key" is not read here/);
    assert.match(await reported('/v1/chat/completions', { authorization: key }), /must begin with "Bearer"/);
  });

  test('a version header that is missing or different: the message shows the right one (spec 5, 9)', async (t) => {
    const world = await makeWorld(gateway, t);
    const reported = async (headers: Record<string, string>): Promise<string> => {
      const response = await postChat(world, '{}', { path: '/v1/messages', headers });
      assert.equal(response.status, 400);
      return ((await response.json()) as { error: { message: string } }).error.message;
    };
    assert.match(await reported({}), /"anthropic-version: 2023-06-01"/);
    assert.match(
      await reported({ 'anthropic-version': '2099-01-01' }),
      /no known version.*"2023-06-01" or "2026-10-21"/,
    );
  });

  test('/v1/messages* names the request in the header of its vendor too, in answers and errors (contract-2 7)', async (t) => {
    const world = await makeWorld(gateway, t);
    const headers = { 'anthropic-version': '2023-06-01' };
    const body = { model: world.model, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
    for (const [path, payload, status] of [
      ['/v1/messages', body, 200],
      ['/v1/messages/count_tokens', body, 200],
      ['/v1/messages', {}, 400],
      ['/v1/messages/nowhere', {}, 404],
    ] as const) {
      const response = await postChat(world, JSON.stringify(payload), { path, headers });
      await response.text();
      assert.equal(response.status, status, path);
      assert.match(response.headers.get('request-id') ?? '', /^req_/, path);
      assert.equal(response.headers.get('request-id'), response.headers.get('x-request-id'));
    }
  });

  test('GET /v1/responses asked to become a WebSocket is 426 at once (contract-2 7)', async () => {
    const { hostname, port } = new URL(gateway.address);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      };
      get({ host: hostname, port, path: '/v1/responses', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    assert.equal(status, 426);
    assert.equal((await fetch(`${gateway.address}/v1/responses`)).status, 405, 'without Upgrade');
  });

  test('402 says that a retry is of no use (contract-2 7)', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '0' });
    const response = await chat(world, 'Hello');
    await readError(response, 402, 'insufficient_quota');
    assert.equal(response.headers.get('x-should-retry'), 'false');
  });

  test('a wrong path or method: the message says what was meant', async (t) => {
    const { key } = await makeWorld(gateway, t);
    const reported = async (method: string, path: string, status: number): Promise<[string, string | null]> => {
      const response = await fetch(gateway.address + path, { method, headers: { authorization: `Bearer ${key}` } });
      assert.equal(response.status, status, path);
      const { error } = (await response.json()) as { error: { message: string } };
      return [error.message, response.headers.get('allow')];
    };
    for (const [path, meant] of [
      ['/chat/completions', '/v1/chat/completions'],
      ['/v1/v1/chat/completions', '/v1/chat/completions'],
      ['/v1/chat/completions/', '/v1/chat/completions'],
      ['/v1/v1/messages', '/v1/messages'],
    ] as const)
      assert.ok((await reported('POST', path, 404))[0].endsWith(`Did you mean ${meant}?`), path);
    for (const path of ['/v1/models/', '/models', '/v1/videos/'])
      assert.match((await reported('GET', path, 404))[0], /Did you mean \/v1\/(?:models|videos)\?$/);
    assert.doesNotMatch((await reported('GET', '/nowhere', 404))[0], /mean/);
    const call = 'models/sandbox-chat:generateContent';
    assert.deepEqual(await reported('GET', `/v1beta/${call}`, 405), ['Use POST here.', 'POST']);
    // Without a version: under /v1 it is served too.
    assert.ok((await reported('POST', `/${call}`, 404))[0].endsWith(`Did you mean /v1/${call}?`));
  });

  test('the operator API: a content type without a body does not hide what is wrong, or right', async (t) => {
    const { account, channels } = await makeWorld(gateway, t);
    const ask = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> =>
      fetch(`${gateway.address}/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...headers },
        ...(body !== undefined && { body }),
      });
    const json = { 'content-type': 'application/json' };
    for (const method of ['DELETE', 'PUT']) {
      const refused = await ask(method, `/accounts/${account.id}`, json);
      await readError(refused, 405, 'method_not_allowed');
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, PATCH');
    }
    const text = { 'content-type': 'text/plain' };
    await readError(await ask('POST', '/accounts', text, 'name'), 415, 'unsupported_media_type');
    await readError(await ask('POST', '/nowhere', text, 'name'), 404, 'not_found');
    assert.equal((await ask('DELETE', `/channels/${channels[0]?.id}`, json)).status, 204);
  });
});
