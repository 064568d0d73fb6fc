// The two base addresses of the spec (sections 1 and 9): both serve every path alike, with the same checks for every token
// carrier; answers on the legacy one also say that it is deprecated and where to go.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { chatBody } from './support/chat.ts';
import type { TestGateway } from './support/gateway.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

interface Call {
  name: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  status: number;
}

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const variants = {
  'different prefixes on one host': ['http://gate.example/gw', 'http://gate.example/old'],
  'no prefixes, different hosts': ['https://new.example', 'https://old.example'],
  'the same prefix on different hosts': ['https://new.example/api', 'https://old.example:8443/api'],
  'a prefix on the legacy address only': ['https://new.example', 'https://old.example/legacy/path'],
  'a prefix on the new address only': ['https://new.example/gw', 'https://old.example'],
  'the new prefix inside the legacy one': ['https://gate.example/api/v2', 'https://gate.example/api'],
  'the legacy prefix inside the new one': ['https://gate.example/api', 'https://gate.example/api/old'],
} as const;

async function send(gateway: TestGateway, base: string, call: Call): Promise<Answer> {
  const { host, pathname } = new URL(base);
  const asked = request(gateway.address, {
    method: call.method ?? 'GET',
    path: pathname.replace(/\/$/, '') + call.path,
    headers: { host, ...call.headers },
    agent: false,
  });
  asked.end(call.body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Chat, models and errors, by every carrier of the token. */
function callsOf({ key, model }: World): Call[] {
  const bearer = { authorization: `Bearer ${key}` };
  const json = { ...bearer, 'content-type': 'application/json' };
  const post = { method: 'POST', path: '/v1/chat/completions', headers: json };
  const body = (extra: Record<string, unknown> = {}): string => JSON.stringify(chatBody(model, 'both ways', extra));
  return [
    { name: 'chat', ...post, body: body(), status: 200 },
    { name: 'chat stream', ...post, body: body({ stream: true }), status: 200 },
    { name: 'models', path: '/v1/models', headers: bearer, status: 200 },
    { name: 'one model', path: `/v1/models/${model}`, headers: bearer, status: 200 },
    { name: 'native models by query', path: `/v1beta/models?key=${key}`, status: 200 },
    { name: 'native models by header', path: '/v1beta/models', headers: { 'x-goog-api-key': key }, status: 200 },
    { name: 'native models by other header', path: '/v1beta/models', headers: { 'x-any-api-key': key }, status: 200 },
    { name: 'native models by bearer', path: '/v1beta/models', headers: bearer, status: 200 },
    { name: 'no token', path: '/v1/models', status: 401 },
    { name: 'no native token', path: '/v1beta/models', status: 401 },
    { name: 'wrong carrier', path: `/v1/models?key=${key}`, status: 401 },
    { name: 'unknown token', path: '/v1beta/models?key=sk-unknown', status: 401 },
    { name: 'unknown model', path: '/v1/models/nobody', headers: bearer, status: 404 },
    { name: 'unknown path', path: '/v1/nothing', headers: bearer, status: 404 },
    { name: 'unknown native path', path: '/v1beta/nothing', headers: bearer, status: 404 },
    { name: 'unknown message path', path: '/v1/messages/x', headers: bearer, status: 404 },
    { name: 'wrong method', path: '/v1/chat/completions', headers: bearer, status: 405 },
    { name: 'bad body', ...post, body: '{"model":', status: 400 },
    { name: 'wrong type', ...post, body: body({ stream: 'yes' }), status: 400 },
    { name: 'content type', ...post, headers: { ...bearer, 'content-type': 'text/plain' }, body: 'x', status: 415 },
    { name: 'refused by upstream', ...post, body: body({ stop: ['1', '2', '3', '4', '5'] }), status: 400 },
    { name: 'health', path: '/healthz', status: 200 },
  ];
}

/** Without what differs from call to call. */
function comparable({ status, headers, body }: Answer): unknown {
  const {
    date: _1,
    'x-request-id': id,
    'request-id': _5,
    'content-length': _2,
    deprecation: _3,
    link: _4,
    ...rest
  } = headers;
  assert.match(String(id), /^req_/);
  const neutral = body
    .replaceAll(String(id), 'ID')
    .replace(/"id":"(chatcmpl)[^"]*"/g, '"id":"$1"')
    .replace(/"created":\d+/g, '"created":0');
  return { status, headers: rest, body: neutral };
}

for (const [name, [base, legacy]] of Object.entries(variants)) {
  describe(`base addresses with ${name}`, async () => {
    const gateway = await suiteGateway({
      settings: { TOLLGATE_BASE_URL: base, TOLLGATE_LEGACY_BASE_URL: `${legacy}/` },
    });
    watchAnswers(gateway);

    test('answer alike, and only the legacy one says that it is deprecated (spec 9)', async (t) => {
      const world = await makeWorld(gateway, t);
      for (const call of callsOf(world)) {
        const [fresh, old] = [await send(gateway, base, call), await send(gateway, legacy, call)];
        assert.equal(fresh.status, call.status, `${call.name}: ${fresh.body}`);
        assert.deepEqual(comparable(old), comparable(fresh), call.name);
        assert.equal(fresh.headers['deprecation'], undefined, call.name);
        assert.equal(fresh.headers['link'], undefined, call.name);
        assert.match(String(old.headers['deprecation']), /^@\d+$/, call.name); // RFC 9745
        const successor = `<${base}${call.path.split('?')[0]}>; rel="successor-version"`;
        assert.equal(old.headers['link'], successor, call.name);
        assert.ok(!JSON.stringify(old.headers).includes(world.key), call.name);
      }
    });
  });
}

describe('without base addresses', async () => {
  const gateway = await suiteGateway();

  test('nothing is deprecated, whatever the host says', async (t) => {
    const { key } = await makeWorld(gateway, t);
    const call = { name: '', path: '/v1/models', headers: { authorization: `Bearer ${key}` }, status: 200 };
    const { status, headers } = await send(gateway, 'http://anything.example', call);
    assert.deepEqual([status, headers['deprecation'], headers['link']], [200, undefined, undefined]);
  });
});

describe('with the legacy address alone', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_LEGACY_BASE_URL: 'http://gate.example/old' } });

  test('the prefix is served and marked, the bare path is served and not marked', async (t) => {
    const { key } = await makeWorld(gateway, t);
    const call = { name: '', path: '/v1/models', headers: { authorization: `Bearer ${key}` }, status: 200 };
    const old = await send(gateway, 'http://gate.example/old', call);
    assert.equal(old.status, 200);
    assert.ok(old.headers['deprecation'] !== undefined && old.headers['link'] !== undefined);
    const bare = await send(gateway, 'http://gate.example', call);
    assert.deepEqual([bare.status, bare.headers['deprecation']], [200, undefined]);
  });

  test('a path that only begins like the prefix is not taken for it', async () => {
    const call = { name: '', path: '', status: 404 };
    const { status, headers } = await send(gateway, 'http://gate.example/older/v1/models', call);
    assert.deepEqual([status, headers['deprecation']], [404, undefined]);
  });
});
