// Contract-2 7: an upstream's 403 about the content of a request is the caller's. Its status and its words come through in the
// caller's shape, no other key is tried, and the key that was asked stays in use.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readError } from './support/chat.ts';
import { balanceOf, nano } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

const FLAGGED = 'Your input was flagged for "violence" by our moderation.';

const bodies: Record<string, unknown> = {
  'a code': {
    error: { message: FLAGGED, type: 'invalid_request_error', param: null, code: 'content_policy_violation' },
  },
  'words alone': { error: { message: FLAGGED, code: 403 } },
  'a file of somebody else': { error: { message: 'You do not have access to file-abc123XYZ.', code: null } },
};

describe("an upstream's 403 about the content", { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  for (const [name, body] of Object.entries(bodies))
    test(`by ${name} is the caller's, and no other key or channel is asked (contract-2 7)`, async (t) => {
      let asked = 0;
      const base_url = await startStub(t, (_, response) => {
        asked++;
        sendJson(response, 403, body);
      });
      const channel = { base_url, keys: ['upstream-key-0001', 'upstream-key-0002'] };
      const world = await makeWorld(gateway, t, { channels: [channel, channel] });
      const { message } = (body as { error: { message: string } }).error;
      for (const stream of [false, true]) {
        const response = await chat(world, 'x', { stream });
        const text = await response.text();
        assert.equal(response.status, 403, text);
        assert.equal((JSON.parse(text) as { error: { message: string } }).error.message, message);
      }
      const native = await fetch(`${gateway.address}/v1/messages`, {
        method: 'POST',
        headers: {
          'x-api-key': world.key,
          'anthropic-version': '2023-06-01',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: world.model, max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }),
      });
      const error = (await native.json()) as { error: { type: string; message: string } };
      assert.deepEqual([native.status, error.error.type, error.error.message], [403, 'permission_error', message]);
      assert.equal(asked, 3);
      assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
    });

  test('one about our key is not: the next key is asked, and the caller sees no 403', async (t) => {
    let asked = 0;
    const base_url = await startStub(t, (_, response) => {
      asked++;
      sendJson(response, 403, { error: { message: 'This API key may not be used.', code: 'invalid_api_key' } });
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url, keys: ['upstream-key-1', 'upstream-key-2'] }] });
    await readError(await chat(world, 'x'), 502, 'upstream_error');
    assert.ok(asked > 1);
  });
});
