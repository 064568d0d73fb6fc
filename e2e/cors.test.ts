// Contract-2 7: pages of other origins may use the public API, and tokens may be bound to pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postChat, readError } from './support/chat.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

const ORIGIN = 'https://app.example';
const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-os',
  },
};

describe('pages of other origins', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_LEGACY_BASE_URL: 'http://old.example/old' } });

  test('are answered a preflight without a token, on every public path and its legacy twin', async () => {
    for (const [path, methods] of [
      ['/v1/chat/completions', 'POST'],
      ['/v1/videos/task_x', 'DELETE, GET, HEAD'],
      ['/v1beta/models/m:generateContent', 'POST'],
      ['/old/v1/models', 'GET, HEAD'],
    ] as const) {
      const response = await fetch(gateway.address + path, preflight);
      assert.equal(response.status, 204, path);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.equal(response.headers.get('access-control-allow-methods'), methods, path);
      assert.equal(
        response.headers.get('access-control-allow-headers'),
        preflight.headers['access-control-request-headers'],
      );
      assert.equal(response.headers.get('access-control-max-age'), '86400');
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('read answers, errors and streams, and their headers', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = { model: world.model, messages: [{ role: 'user', content: 'Hello' }] };
    for (const [payload, status] of [
      [body, 200],
      [{ ...body, stream: true }, 200],
      [{ ...body, model: 'nobody' }, 404],
    ] as const) {
      const response = await postChat(world, JSON.stringify(payload), { headers: { origin: ORIGIN } });
      await response.text();
      assert.equal(response.status, status);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-request-id.*retry-after/);
    }
    const unknown = await fetch(`${gateway.address}/v1/models`, { headers: { origin: ORIGIN } });
    assert.equal(unknown.status, 401);
    assert.equal(unknown.headers.get('access-control-allow-origin'), '*');
  });

  test('never reach the operator API, the console or the metrics', async () => {
    for (const path of ['/operator/v1/session', '/console', '/metrics', '/healthz', '/docs']) {
      for (const init of [{ headers: { origin: ORIGIN } }, preflight]) {
        const response = await fetch(gateway.address + path, init);
        await response.text();
        assert.equal(response.headers.get('access-control-allow-origin'), null, path);
      }
    }
  });

  test('that a token does not list are refused; servers, which send no origin, are not', async (t) => {
    const world = await makeWorld(gateway, t);
    const { key } = await makeToken(gateway, { account_id: world.account.id, origins: [ORIGIN] });
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${gateway.address}/v1/models`, { headers: { authorization: `Bearer ${key}`, ...headers } });
    assert.equal((await send({ origin: ORIGIN })).status, 200);
    assert.equal((await send({})).status, 200);
    for (const origin of ['https://other.example', 'https://app.example.evil', 'null', 'http://app.example']) {
      const response = await send({ origin });
      assert.equal(response.headers.get('access-control-allow-origin'), '*', 'the page may read why');
      await readError(response, 403, 'origin_not_allowed');
    }
  });
});

describe('with TOLLGATE_CORS_ORIGINS', () => {
  for (const [setting, allowed] of [
    ['off', null],
    [`https://other.example, ${ORIGIN}`, ORIGIN],
  ] as const) {
    test(`${setting === 'off' ? 'off' : 'a list'}, ${allowed ?? 'nobody'} may`, async () => {
      const gateway = await suiteGateway({ settings: { TOLLGATE_CORS_ORIGINS: setting } });
      const asked = await fetch(`${gateway.address}/v1/models`, preflight);
      assert.equal(asked.headers.get('access-control-allow-origin'), allowed);
      const answered = await fetch(`${gateway.address}/v1/models`, { headers: { origin: ORIGIN } });
      await answered.text();
      assert.equal(answered.headers.get('access-control-allow-origin'), allowed);
      const foreign = await fetch(`${gateway.address}/v1/models`, { headers: { origin: 'https://third.example' } });
      await foreign.text();
      assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    });
  }
});
