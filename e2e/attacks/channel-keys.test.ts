// One caller can never take a key from others: refusals that belong to a request blame no key, one request blames one key
// at most, and a key is out for everybody only after a neutral probe or refusals of several accounts (contract-2 7).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '#contract/channels.ts';
import { chat, readAnswer, readError } from '../support/chat.ts';
import { NO_DATABASE_SERVER, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { sendJson } from '../support/stub.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { anotherCustomer, PROBE, startKeyedUpstream } from './support/keyed-upstream.ts';

const KEYS = [
  'sk-first-key-aaaa',
  'sk-second-key-bbbb',
  'sk-third-key-cccc',
  'sk-fourth-key-dddd',
  'sk-fifth-key-eeee',
];

const channelOf = (world: World, gateway: TestGateway = world.gateway): Promise<Channel> =>
  gateway.operator('GET', `/channels/${world.channels[0]?.id}`);

async function keyStates(world: World): Promise<string[]> {
  return (await channelOf(world)).health.keys.map(({ state }) => state);
}

const allReady = KEYS.map(() => 'ready');

describe('refusals that belong to the request', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const refusals = {
    moderation: {
      message: 'Your input was flagged by moderation.',
      type: 'invalid_request_error',
      code: 'moderation_blocked',
    },
    "somebody else's file": {
      message: 'You do not have access to file-abc123456.',
      type: 'permission_error',
      code: 'permission_denied',
    },
    'content policy': { message: 'This is against our usage policies.', type: 'policy_error', code: null },
  };
  for (const [name, error] of Object.entries(refusals))
    test(`a 403 about ${name} is the caller's: same status, its message, one call, no key blamed`, async (t) => {
      const upstream = await startKeyedUpstream(t, ({ prompt, key }, response) => {
        if (prompt !== 'attack') return false;
        sendJson(response, 403, { error: { ...error, message: `${error.message} (sk-x-${key}-abcdef)` } });
        return true;
      });
      const attacker = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys: KEYS }] });
      const victim = await anotherCustomer(attacker);
      for (let count = 0; count < 10; count++) {
        const response = await chat(attacker, 'attack');
        const refusal = await readError(response, 403, error.code ?? error.type);
        assert.ok(refusal.message.startsWith(error.message) && refusal.message.includes('[hidden]'), refusal.message);
      }
      assert.equal(upstream.calls.length, 10, 'another key was tried, or a probe was made');
      assert.deepEqual(await keyStates(victim), allReady);
      for (let count = 0; count < 5; count++) await readAnswer(await chat(victim, 'hello'));
      assert.equal(new Set(upstream.calls.slice(10).map(({ key }) => key)).size, 5, 'all keys take turns');
    });

  test('streams too: a 403 before the first event is the same', async (t) => {
    const upstream = await startKeyedUpstream(t, (_call, response) => {
      sendJson(response, 403, { error: { message: 'Flagged.', type: 'x', code: 'content_policy_violation' } });
      return true;
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys: KEYS }] });
    await readError(await chat(world, 'attack', { stream: true }), 403, 'content_policy_violation');
    assert.equal(upstream.calls.length, 1);
  });

  test('a 403 that says nothing of itself burns no key either: a probe finds out that they work', async (t) => {
    const upstream = await startKeyedUpstream(t, ({ prompt }, response) => {
      if (prompt !== 'attack') return false;
      sendJson(response, 403, {});
      return true;
    });
    const attacker = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys: KEYS }] });
    const victim = await anotherCustomer(attacker);
    const accomplice = await anotherCustomer(attacker);
    const startedAt = performance.now();
    for (let count = 0; count < 10; count++) {
      for (const caller of [attacker, accomplice]) assert.ok((await chat(caller, 'attack')).status >= 500);
      await readAnswer(await chat(victim, 'hello'));
    }
    assert.ok(!(await keyStates(victim)).includes('rejected'));
    const probes = upstream.calls.filter(({ prompt }) => prompt === PROBE).length;
    // A look and a call for each key, every 20 s.
    const most = 2 * KEYS.length * Math.ceil((performance.now() - startedAt) / 20_000);
    assert.ok(probes >= 1 && probes <= most, `${probes} probes`);
  });

  test('one request blames one key at most', async (t) => {
    const upstream = await startKeyedUpstream(t, ({ prompt }, response) => {
      if (prompt === PROBE) sendJson(response, 500, {});
      else sendJson(response, 403, {});
      return true;
    });
    const attacker = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys: KEYS }] });
    await readError(await chat(attacker, 'attack'), 502, 'upstream_error');
    assert.equal(upstream.calls.filter(({ prompt }) => prompt !== PROBE).length, KEYS.length);
    const states = await keyStates(attacker);
    assert.deepEqual(states.toSorted(), ['ready', 'ready', 'ready', 'ready', 'suspected']);
  });
});

describe('limits and quota', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  test('a 429 that only one caller gets rests no key for the others', async (t) => {
    const upstream = await startKeyedUpstream(t, ({ prompt }, response) => {
      if (prompt !== 'attack') return false;
      response.setHeader('retry-after', '3600');
      sendJson(response, 429, {
        error: { message: 'Request too large.', type: 'tokens', code: 'rate_limit_exceeded' },
      });
      return true;
    });
    const attacker = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys: KEYS }] });
    const victim = await anotherCustomer(attacker);
    await readError(await chat(attacker, 'attack'), 429, 'upstream_rate_limited');
    await readAnswer(await chat(victim, 'hello'));
    await readError(await chat(attacker, 'hello'), 429, 'upstream_rate_limited');
  });

  test('an account at the provider that cannot pay blames its key, which a probe takes out', async (t) => {
    const upstream = await startKeyedUpstream(t, ({ key }, response) => {
      if (key !== 'aaaa') return false;
      sendJson(response, 429, { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } });
      return true;
    });
    const keys = KEYS.slice(0, 2);
    const world = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url, keys }] });
    await readAnswer(await chat(world, 'hello'));
    await waitUntil(async () => (await keyStates(world))[0] === 'rejected', 'the key is not taken out');
    const [empty] = (await channelOf(world)).health.keys;
    assert.match(empty?.reason ?? '', /429 insufficient_quota: You exceeded your current quota\./);
  });
});

describe('keys that are refused', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  test('one call and a probe take a bad key out, with its reason, since when and until when', async (t) => {
    const secret = 'sk-broken-secret-key-aaaa';
    const upstream = await startKeyedUpstream(t, ({ key }, response) => {
      if (key !== 'aaaa') return false;
      sendJson(response, 401, { error: { message: `Incorrect API key: ${secret}.`, code: 'invalid_api_key' } });
      return true;
    });
    const channel = { base_url: upstream.base_url, keys: [secret, 'sk-good-key-number-bbbb'] };
    const world = await makeWorld(gateway, t, { channels: [channel] });
    await readAnswer(await chat(world, 'hello'));
    await waitUntil(async () => (await keyStates(world))[0] === 'rejected', 'the key is not taken out');
    const shown = await channelOf(world);
    const [broken, good] = shown.health.keys;
    assert.match(broken?.reason ?? '', /401 invalid_api_key/);
    assert.ok(!JSON.stringify(shown).includes(secret), 'the key is shown');
    assert.equal(broken?.last_probe?.ok, false);
    assert.ok((broken?.until ?? 0) > (broken?.since ?? Infinity), JSON.stringify(broken));
    assert.equal(good?.state, 'ready');
    const before = upstream.calls.length;
    for (let count = 0; count < 4; count++) await readAnswer(await chat(await anotherCustomer(world), 'hello'));
    assert.ok(upstream.calls.slice(before).every(({ key }) => key === 'bbbb'));
  });

  test('where a probe cannot tell, one account is kept from the key, and everybody when a second is refused', async (t) => {
    let isBad = true;
    const upstream = await startKeyedUpstream(t, ({ prompt }, response) => {
      if (prompt === PROBE) sendJson(response, 500, {});
      else if (isBad) sendJson(response, 401, { error: { message: 'No.', code: 'invalid_api_key' } });
      return prompt === PROBE || isBad;
    });
    const first = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url }] });
    const [second, third] = [await anotherCustomer(first), await anotherCustomer(first)];
    await readError(await chat(first, 'hello'), 502, 'upstream_error');
    await readError(await chat(first, 'hello'), 503, 'no_channel_available');
    assert.deepEqual(await keyStates(first), ['suspected']);
    await readError(await chat(second, 'hello'), 502, 'upstream_error');
    isBad = false;
    await readError(await chat(third, 'hello'), 503, 'no_channel_available');
    await waitUntil(async () => (await keyStates(first))[0] === 'rejected', 'the store does not know');
    const shown = await channelOf(first);
    assert.equal(shown.health.state, 'down');
    assert.match(shown.health.keys[0]?.reason ?? '', /several accounts/);
  });

  test('an operator whose test is answered brings a key back at once', async (t) => {
    let isBad = true;
    const upstream = await startKeyedUpstream(t, (_call, response) => {
      if (isBad) sendJson(response, 401, { error: { message: 'No.', code: 'invalid_api_key' } });
      return isBad;
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url: upstream.base_url }] });
    await readError(await chat(world, 'hello'), 502, 'upstream_error');
    await waitUntil(async () => (await keyStates(world))[0] === 'rejected', 'the key is not taken out');
    isBad = false;
    const test = await gateway.operator<{ ok: boolean }>('POST', `/channels/${world.channels[0]?.id}/test`, {
      model: world.model,
    });
    assert.equal(test.ok, true);
    await readAnswer(await chat(world, 'hello'));
    await waitUntil(async () => (await keyStates(world))[0] === 'ready', 'the store does not know');
  });
});

describe('several nodes', { skip: NO_DATABASE_SERVER }, async () => {
  const first = NO_DATABASE_SERVER === false ? await suiteGateway({ postgres: true }) : undefined;

  test('a key that is out is out on other nodes, and after a restart', async (t) => {
    assert.ok(first !== undefined);
    const databaseUrl = first.databaseUrl ?? '';
    const second = await startTestGateway({ databaseUrl, upstream: first.upstream });
    const upstream = await startKeyedUpstream(t, ({ key }, response) => {
      if (key !== 'aaaa') return false;
      sendJson(response, 401, { error: { message: 'Revoked.', code: 'invalid_api_key' } });
      return true;
    });
    const world = await makeWorld(first, t, { channels: [{ base_url: upstream.base_url, keys: KEYS.slice(0, 2) }] });
    await readAnswer(await chat(world, 'hello'));
    const isOut = async (gateway: TestGateway): Promise<boolean> => {
      const { data } = await gateway.operator<{ data: { channel_id: string; keys: { state: string }[] }[] }>(
        'GET',
        '/channel-health',
      );
      return data.some(({ channel_id, keys }) => channel_id === world.channels[0]?.id && keys[0]?.state === 'rejected');
    };
    await waitUntil(() => isOut(first), 'the key is not taken out');
    try {
      await waitUntil(() => isOut(second), 'the other node does not know');
    } finally {
      await second.stop();
    }

    const again = await startTestGateway({ databaseUrl, upstream: first.upstream });
    t.after(() => again.stop());
    const { health } = await channelOf(world, again);
    assert.equal(health.keys[0]?.state, 'rejected');
    assert.match(health.keys[0]?.reason ?? '', /Revoked/);
    await waitUntil(
      async () => (await channelOf(world, again)).health.last_error?.class === 'unauthorised',
      'a node that never called the channel does not know its last error',
    );
    assert.deepEqual((await channelOf(world, again)).health.success_rate, 0.5);
    const before = upstream.calls.length;
    for (let count = 0; count < 4; count++)
      await readAnswer(await chat(world, 'hello', {}, { address: again.address }));
    assert.deepEqual(
      upstream.calls.slice(before).map(({ key }) => key),
      ['bbbb', 'bbbb', 'bbbb', 'bbbb'],
    );
  });
});
