// Every scope of a token by every carrier and on both base addresses (spec 5 and 9, promise A-05): a caller without the right gets its error
// in the same way, nothing reaches an upstream and nothing is charged.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { chatBody } from './support/chat.ts';
import { ledgerOf, requestsOf } from './support/money.ts';
import { makeWorld, suiteGateway, type World, type WorldOptions } from './support/world.ts';

const BASES = { TOLLGATE_BASE_URL: 'https://new.example/gw', TOLLGATE_LEGACY_BASE_URL: 'https://old.example/api' };

interface Call {
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** One call for each way to carry a token, in the protocol that has it. */
const carriers: Record<string, (world: World) => Call> = {
  'bearer header': ({ key, model }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: chatBody(model, 'hi'),
  }),
  'x-api-key header': ({ key, model }) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: { ...chatBody(model, 'hi'), max_tokens: 10 },
  }),
  'bearer header of messages': ({ key, model }) => ({
    path: '/v1/messages',
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
    body: { ...chatBody(model, 'hi'), max_tokens: 10 },
  }),
  'vendor key header': ({ key, model }) => ({
    path: `/v1beta/models/${model}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
  'key query': ({ key, model }) => ({
    path: `/v1beta/models/${model}:generateContent?key=${key}`,
    headers: {},
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
};

interface Scope {
  options?: WorldOptions;
  change?: (world: World) => Promise<unknown>;
  status: number;
}

const tokenOf =
  (body: Record<string, unknown>) =>
  ({ gateway, token }: World): Promise<unknown> =>
    gateway.operator('PATCH', `/tokens/${token.id}`, body);

const scopes: Record<string, Scope> = {
  allowed: { status: 200 },
  'a disabled token': { change: tokenOf({ status: 'disabled' }), status: 401 },
  'an expired token': { change: tokenOf({ expires_at: 1 }), status: 401 },
  'a removed token': { change: ({ gateway, token }) => gateway.operator('DELETE', `/tokens/${token.id}`), status: 401 },
  'a disabled account': {
    change: ({ gateway, account }) => gateway.operator('PATCH', `/accounts/${account.id}`, { status: 'disabled' }),
    status: 403,
  },
  'another address': { options: { token: { ip_allow: ['203.0.113.0/24'] } }, status: 403 },
  'another model': { options: { token: { models: ['other-*'] } }, status: 403 },
  'another model of the account': { options: { account: { models: ['other-*'] } }, status: 403 },
  'no quota': { options: { token: { quota: '0' } }, status: 402 },
  'no money': { options: { credit: '0.000000001' }, status: 402 },
};

describe('scopes', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway({ settings: BASES });

  async function send(base: string, { path, headers, body }: Call) {
    const { host, pathname } = new URL(base);
    const asked = request(gateway.address + pathname + path, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...headers },
      agent: false,
    });
    asked.end(JSON.stringify(body));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: response.statusCode, id: response.headers['x-request-id'], body: await text(response) };
  }

  for (const [name, { options, change, status }] of Object.entries(scopes)) {
    test(`${name}: ${status} by every carrier, on both addresses`, async (t) => {
      const world = await makeWorld(gateway, t, options);
      await change?.(world);
      const ids: unknown[] = [];
      for (const base of Object.values(BASES)) {
        for (const [carrier, callOf] of Object.entries(carriers)) {
          const answer = await send(base, callOf(world));
          assert.equal(answer.status, status, `${carrier} on ${base}: ${answer.body}`);
          ids.push(answer.id);
        }
      }
      assert.equal(new Set(ids).size, ids.length);
      const isServed = status === 200;
      assert.equal(world.calls().length, isServed ? ids.length : 0, 'what reached the upstream');
      const settles = (await ledgerOf(gateway, { account_id: world.account.id })).filter(
        ({ kind }) => kind === 'settle',
      );
      assert.equal(settles.length, isServed ? ids.length : 0);
      if (!isServed) return;
      // The id of the answer's header is the one of the log and of the ledger (promise O-08).
      const logged = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual(new Set(logged.map(({ id }) => id)), new Set(ids));
      assert.deepEqual(new Set(settles.map(({ request_id }) => request_id)), new Set(ids));
    });
  }
});
