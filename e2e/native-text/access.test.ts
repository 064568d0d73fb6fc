// Spec 5 and 9: how the native text endpoints take their token and version, and in which words they refuse (contract 4).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { watchAnswers } from '../support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway } from '../support/world.ts';
import { callNative, ownHeaders, readNativeError, type Style, VERSION } from './native-call.ts';

const STYLES: readonly Style[] = ['messages', 'generate-content'];

/** Condition -> status, and the word for it on each endpoint. */
const WORDS = {
  400: { messages: 'invalid_request_error', 'generate-content': 'INVALID_ARGUMENT' },
  401: { messages: 'authentication_error', 'generate-content': 'UNAUTHENTICATED' },
  402: { messages: 'billing_error', 'generate-content': 'FAILED_PRECONDITION' },
  404: { messages: 'not_found_error', 'generate-content': 'NOT_FOUND' },
  429: { messages: 'rate_limit_error', 'generate-content': 'RESOURCE_EXHAUSTED' },
} as const;

describe('the native text endpoints', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  test('/v1/messages takes x-api-key or a bearer token, with any header named <word>-version', async (t) => {
    const { key, model } = await makeWorld(gateway, t);
    for (const headers of [
      { 'x-api-key': key, ...VERSION },
      { authorization: `Bearer ${key}`, ...VERSION },
      { 'x-api-key': key, 'tollgate-version': '2023-06-01' },
      { 'x-api-key': key, authorization: `Bearer ${key}`, ...VERSION },
      { 'x-api-key': 'placeholder', authorization: `Bearer ${key}`, ...VERSION },
      { 'x-goog-api-key': key, ...VERSION },
    ] as Record<string, string>[]) {
      const response = await callNative({ gateway }, { style: 'messages', model, headers });
      assert.equal(response.status, 200, JSON.stringify(headers));
      assert.equal(((await response.json()) as { type: string }).type, 'message');
    }
  });

  test('/v1/messages refuses a missing or different version with 400, and a key in the query with 401', async (t) => {
    const world = await makeWorld(gateway, t);
    const { key, model } = world;
    const call = (headers: Record<string, string>, query?: string): Promise<Response> =>
      callNative({ gateway }, { style: 'messages', model, headers, ...(query !== undefined && { query }) });
    const missing = await readNativeError(await call({ 'x-api-key': key }), 'messages', 400);
    assert.deepEqual([missing.kind, /version/.test(missing.message)], ['invalid_request_error', true]);
    for (const version of ['2023-01-01', '2022-01-01', '2023-06-01x', '2099-01-01', '', 'latest']) {
      const response = await call({ 'x-api-key': key, 'anthropic-version': version });
      const { message } = await readNativeError(response, 'messages', 400);
      assert.match(message, /2023-06-01/);
    }
    const { kind } = await readNativeError(await call(VERSION, `key=${key}`), 'messages', 401);
    assert.equal(kind, 'authentication_error');
    assert.deepEqual(world.calls(), []);
  });

  test('the anthropic library works with the version it sends by itself, and the upstream is sent the same (contract-2 7)', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') }],
    });
    const { key, model } = world;
    const options = { apiKey: key, baseURL: gateway.address, maxRetries: 0 };
    const body = { model, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello' }] };
    assert.equal((await new Anthropic(options).messages.create(body)).type, 'message');
    const older = new Anthropic({ ...options, defaultHeaders: VERSION });
    assert.equal((await older.messages.create(body)).type, 'message');
    assert.deepEqual(
      world.calls().map(({ headers }) => headers['anthropic-version']),
      ['2026-10-21', '2023-06-01'],
    );
  });

  test('/v1beta takes the key query, any x-<word>-api-key header or a bearer token, and no version', async (t) => {
    const { key, model } = await makeWorld(gateway, t);
    for (const [headers, query] of [
      [{}, `key=${key}`],
      [{ 'x-goog-api-key': key }, undefined],
      [{ 'x-tollgate-api-key': key }, undefined],
      [{ authorization: `Bearer ${key}` }, undefined],
      [{ 'x-api-key': key }, undefined],
      [{ authorization: 'Bearer placeholder', 'x-goog-api-key': key }, undefined],
    ] as [Record<string, string>, string | undefined][]) {
      const call = { style: 'generate-content' as const, model, headers, ...(query !== undefined && { query }) };
      const response = await callNative({ gateway }, call);
      assert.equal(response.status, 200, `${JSON.stringify(headers)} ${query}`);
      assert.ok(Array.isArray(((await response.json()) as { candidates: unknown }).candidates));
    }
  });

  for (const style of STYLES) {
    test(`${style} says in its own words: no key, an unknown key, no such model, a wrong type`, async (t) => {
      const world = await makeWorld(gateway, t);
      const { model } = world;
      const own = ownHeaders(style, world.key);
      const wrong = style === 'messages' ? { max_tokens: 'many' } : { contents: 'none' };
      const field = style === 'messages' ? 'max_tokens' : 'contents';
      const anonymous: Record<string, string> = style === 'messages' ? VERSION : {};
      for (const [status, call] of [
        [401, { model, headers: anonymous }],
        [401, { model, headers: ownHeaders(style, `sk-${'x'.repeat(48)}`) }],
        [404, { model: 'nobody-has-this', headers: own }],
        [400, { model, headers: own, extra: wrong }],
      ] as [400 | 401 | 404, { model: string; headers: Record<string, string> }][]) {
        const { kind, message } = await readNativeError(await callNative(world, { style, ...call }), style, status);
        assert.equal(kind, WORDS[status][style]);
        if (status === 400) assert.match(message, new RegExp(`'${field}'`));
      }
      assert.deepEqual(world.calls(), []);
    });

    test(`${style} says in its own words: no money, too many requests`, async (t) => {
      const poor = await makeWorld(gateway, t, { credit: '0' });
      const unpaid = await callNative(poor, { style, model: poor.model, headers: ownHeaders(style, poor.key) });
      assert.equal((await readNativeError(unpaid, style, 402)).kind, WORDS[402][style]);

      const limited = await makeWorld(gateway, t, { channels: [{ keys: ['limited-1'] }] });
      const call = { style, model: limited.model, headers: ownHeaders(style, limited.key) };
      const tooMany = await callNative(limited, call);
      assert.ok(Number(tooMany.headers.get('retry-after')) >= 1);
      assert.equal((await readNativeError(tooMany, style, 429)).kind, WORDS[429][style]);
    });

    test(`${style} says in its own words: a model outside the list of the token`, async (t) => {
      const world = await makeWorld(gateway, t);
      const { key } = await makeToken(gateway, { account_id: world.account.id, models: ['other-*'] });
      const response = await callNative(world, { style, model: world.model, headers: ownHeaders(style, key) });
      const { kind } = await readNativeError(response, style, 403);
      assert.equal(kind, style === 'messages' ? 'permission_error' : 'PERMISSION_DENIED');
    });
  }
});
