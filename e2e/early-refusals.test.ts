// Contract-2 7: early refusals have a line in the request log with their reason, and touch no money.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { assertMoneyAddsUp, ledgerOf, requestOf, requestsOf } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

describe('requests that are refused before a model is known (contract-2 7)', async () => {
  const gateway = await suiteGateway();
  const lineOf = async (response: Response): Promise<LoggedRequest> => {
    await response.text();
    let line: LoggedRequest | undefined;
    await waitUntil(async () => {
      line = await requestOf(gateway, response).catch(() => undefined);
      return line !== undefined;
    }, 'the refusal has no line in the request log');
    assert.ok(line !== undefined);
    return line;
  };

  test('have a line that says why, and nothing is held or charged', async (t) => {
    const world = await makeWorld(gateway, t);
    const bound = await makeToken(gateway, { account_id: world.account.id, origins: ['https://app.example'] });
    const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
    const json = { 'content-type': 'application/json' };
    const post = (path: string, headers: Record<string, string>, body: string): Promise<Response> =>
      fetch(gateway.address + path, { method: 'POST', headers, body });
    const cases: [Promise<Response>, number, string, RegExp, string | null][] = [
      [post('/v1/chat/completions', json, '{}'), 401, 'missing_api_key', /key/i, null],
      [post('/v1/chat/completions', { ...json, ...bearer('sk-nobody') }, '{}'), 401, 'invalid_api_key', /key/i, null],
      [
        post('/v1/chat/completions', { ...json, ...bearer(bound.key), origin: 'https://evil.example' }, '{}'),
        403,
        'origin_not_allowed',
        /origin/i,
        bound.id,
      ],
      [
        post('/v1/messages', { ...json, ...bearer(world.key), 'anthropic-version': '2022-01-01' }, '{}'),
        400,
        'invalid_request',
        /version/,
        world.token.id,
      ],
      [
        post('/v1/chat/completions', { ...json, ...bearer(world.key) }, '{"model"'),
        400,
        'invalid_request',
        /JSON/,
        world.token.id,
      ],
      [
        post('/v1/chat/completions', { ...json, ...bearer(world.key) }, '{"model":5}'),
        400,
        'invalid_request',
        /model/,
        world.token.id,
      ],
      [
        post('/v1/nowhere', { ...json, ...bearer(world.key) }, '{}'),
        404,
        'not_found',
        /nothing at \/v1\/nowhere/,
        world.token.id,
      ],
    ];
    for (const [sent, status, code, reason, tokenId] of cases) {
      const response = await sent;
      assert.equal(response.status, status);
      const line = await lineOf(response);
      assert.deepEqual([line.status, line.error_code, line.token_id, line.charge], [status, code, tokenId, '0']);
      assert.match(line.reason ?? '', reason);
      assert.equal(line.model, null);
    }
    assert.deepEqual(
      (await ledgerOf(gateway, { account_id: world.account.id })).map(({ kind }) => kind),
      ['credit'],
    );
    await assertMoneyAddsUp(gateway, world.account.id);
  });

  test('have none where the path is unknown and so is the token', async () => {
    const response = await fetch(`${gateway.address}/v1/nowhere`, { headers: { authorization: 'Bearer sk-nobody' } });
    await response.text();
    assert.equal(response.status, 404);
    const id = response.headers.get('x-request-id');
    const lines = await requestsOf(gateway, { status: '404' });
    assert.ok(lines.every((line) => line.id !== id));
  });
});
