import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretMask } from '../shared/secret-mask.ts';
import { buildUpstreamRequest, type RequestPlan, type SigningProvider, type UpstreamAccess } from './build-request.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import { bearer, keyHeader } from './credentials/api-key.ts';
import { bytesOf, type Sign } from './credentials/sign.ts';
import { UpstreamError } from './upstream-error.ts';

const options = { connectMs: 1_000, firstByteMs: 2_000, idleMs: 3_000 };
const mask = new SecretMask(['secret-of-the-channel']);
const body = Buffer.from('{"model":"m"}');
const clock = { now: () => 1_700_000_000_000 };

function access(more: Partial<UpstreamAccess['channel']['facts']> = {}): UpstreamAccess {
  return {
    channel: { facts: { baseUrl: 'https://up.example/v1/', headers: {}, options, ...more } },
    key: { secret: 'secret-of-the-channel' },
  };
}

function build(
  provider: SigningProvider,
  plan: Partial<RequestPlan> = {},
  facts: Partial<UpstreamAccess['channel']['facts']> = {},
): UpstreamRequest | Promise<UpstreamRequest> {
  const whole: RequestPlan = { method: 'POST', path: '/chat', headers: {}, body, mask, ...plan };
  return buildUpstreamRequest(provider, access(facts), whole, clock);
}

function built(...args: Parameters<typeof build>): UpstreamRequest {
  const request = build(...args);
  assert.ok(!(request instanceof Promise));
  return request;
}

test('a request has address, headers, body, limits and mask, and is made at once where a key is sent as it is', () => {
  const { headers, ...rest } = built({ sign: bearer }, { headers: { accept: 'application/json' } });
  assert.deepEqual(rest, {
    origin: 'https://up.example',
    path: '/v1/chat',
    method: 'POST',
    body,
    limits: options,
    mask,
  });
  assert.deepEqual(headers, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: 'Bearer secret-of-the-channel',
  });
});

test('the body is passed on without a copy, and limits of the call win over those of the channel', () => {
  const limits = { connectMs: 1, firstByteMs: 1, idleMs: 1 };
  const request = built({ sign: bearer }, { limits });
  assert.equal(request.body, body);
  assert.equal(request.limits, limits);
});

test("headers: the call's win over the provider's, these over the channel's, and the signature over all", () => {
  const provider = { sign: keyHeader('x-api-key'), headers: { 'x-version': 'provider', 'x-fixed': 'provider' } };
  const headers = { 'x-version': 'call', 'x-api-key': 'call' };
  const channel = { 'x-version': 'channel', 'x-fixed': 'channel', 'x-own': 'channel', 'accept-encoding': 'gzip' };
  assert.deepEqual(built(provider, { headers }, { headers: channel }).headers, {
    'x-version': 'call',
    'x-fixed': 'provider',
    'x-own': 'channel',
    'accept-encoding': 'identity',
    'x-api-key': 'secret-of-the-channel',
  });
  assert.equal(channel['accept-encoding'], 'gzip', 'what the channel holds is not touched');
});

test('a channel without keys sends no credential, so that one of its own headers may be it', () => {
  const facts = { channel: { facts: { ...access().channel.facts, headers: { authorization: 'own' } } } };
  for (const sign of [bearer, keyHeader('x-goog-api-key')]) {
    const plan: RequestPlan = { method: 'GET', path: '/models', headers: {}, body: null, mask: undefined };
    const request = buildUpstreamRequest({ sign }, { ...facts, key: { secret: '' } }, plan);
    assert.ok(!(request instanceof Promise));
    assert.deepEqual(request.headers, { authorization: 'own', 'accept-encoding': 'identity' });
  }
});

test('a query in the base address is kept, behind that of the path (contract-2 9)', () => {
  const cases: [string, string, string][] = [
    ['https://up.example/openai/?api-version=1', '/chat', '/openai/chat?api-version=1'],
    ['https://up.example?api-version=1&b=c%2Fd', '/m:stream?alt=sse', '/m:stream?alt=sse&api-version=1&b=c%2Fd'],
    ['https://up.example/v1?', '/chat', '/v1/chat'],
  ];
  for (const [baseUrl, path, expected] of cases)
    assert.equal(built({ sign: bearer }, { path }, { baseUrl }).path, expected);
});

test('the signature sees method, address with query, headers, body, credential and time', () => {
  let seen: unknown;
  const sign: Sign = (request, credential, { now }) => {
    const { method, origin, path, headers } = request;
    const bytes = bytesOf(request.body);
    seen = { method, origin, path, headers: { ...headers }, body: String(bytes), credential, now: now() };
    return { authorization: 'signed' };
  };
  const request = built({ sign, headers: { 'x-fixed': '1' } }, { path: '/chat?a=b', headers: { accept: '*/*' } });
  assert.deepEqual(seen, {
    method: 'POST',
    origin: 'https://up.example',
    path: '/v1/chat?a=b',
    headers: { 'x-fixed': '1', accept: '*/*', 'accept-encoding': 'identity' },
    body: '{"model":"m"}',
    credential: 'secret-of-the-channel',
    now: 1_700_000_000_000,
  });
  assert.equal(request.headers['authorization'], 'signed');
});

test('bytes of a body for a signature: whole, in pieces, none, or unknown where they come from a file', () => {
  const pieces = [Buffer.from('{"a"'), Buffer.from(':1}')];
  assert.deepEqual(bytesOf(null), []);
  assert.deepEqual(bytesOf(body), [body]);
  assert.deepEqual(bytesOf({ length: 7, open: () => pieces }), pieces);
  async function* file(): AsyncGenerator<Buffer> {
    yield* pieces;
  }
  assert.equal(bytesOf({ length: 7, open: file }), undefined);
});

test('a signature that waits for a token makes the request a promise', async () => {
  const request = build({ sign: async () => ({ authorization: 'Bearer fetched' }) });
  assert.ok(request instanceof Promise);
  const { headers, path } = await request;
  assert.deepEqual([headers['authorization'], path], ['Bearer fetched', '/v1/chat']);
});

test('what cannot be signed was not sent: its class is kept, and anything else is a refused key', async () => {
  const thrown = new Error('no such credential');
  const limited = new UpstreamError('limited', 'the token endpoint asks to slow down', { status: 429 });
  const cases: [unknown, unknown[]][] = [
    [thrown, ['unauthorised', undefined, thrown]],
    [limited, ['limited', 429, undefined]],
  ];
  for (const [error, expected] of cases) {
    const isExpected = (failure: unknown): boolean => {
      assert.ok(failure instanceof UpstreamError);
      const { status, notSent } = failure.facts;
      assert.deepEqual([failure.errorClass, status, failure.cause], expected);
      assert.equal(notSent, true);
      return true;
    };
    const sign = (): never => {
      throw error;
    };
    assert.throws(() => build({ sign }), isExpected);
    await assert.rejects(async () => build({ sign: async () => sign() }), isExpected);
  }
});
