// Counting the tokens of a prompt: an upstream of the caller's own protocol is asked, others are estimated; nothing is
// charged either way.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { moneyOf } from '../support/endpoint-checks.ts';
import { requestOf } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { watchAnswers } from '../support/watch-answers.ts';
import { type ChannelOptions, makeWorld, suiteGateway } from '../support/world.ts';
import { callNative, ownHeaders, readNativeError, type Style } from './native-call.ts';

const COUNTING = {
  messages: { provider: 'anthropic', method: '/count_tokens', field: 'input_tokens', extra: { max_tokens: undefined } },
  'generate-content': { provider: 'gemini', method: 'countTokens', field: 'totalTokens', extra: {} },
} as const;

describe('counting tokens', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);
  const channelOf = (provider: 'anthropic' | 'gemini' | 'openai'): ChannelOptions => ({
    provider,
    base_url: gateway.upstream.baseUrl(provider),
  });

  for (const style of ['messages', 'generate-content'] as Style[]) {
    const { provider, method, field, extra } = COUNTING[style];

    test(`of ${style} is done by an upstream of the same protocol, and its answer passed on`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channelOf(provider)] });
      const call = { style, model: world.model, headers: ownHeaders(style, world.key) };
      const counted = await callNative(world, { ...call, method, extra });
      assert.equal(counted.status, 200);
      assert.equal(counted.headers.get('x-tollgate-usage-source'), null);
      const reported = (await counted.json()) as Record<string, number>;
      const answered = await callNative(world, call);
      const { usage } = await requestOf(gateway, answered);
      assert.equal(reported[field], usage?.input_tokens);
      const logged = await requestOf(gateway, counted);
      assert.deepEqual([logged.status, logged.charge], [200, '0']);
    });

    test(`of ${style} is estimated where no upstream speaks it, which the head says`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channelOf('openai')] });
      const call = { style, model: world.model, headers: ownHeaders(style, world.key), method };
      const short = await callNative(world, { ...call, extra });
      assert.equal(short.headers.get('x-tollgate-usage-source'), 'estimated');
      const { [field]: few = 0 } = (await short.json()) as Record<string, number>;
      assert.ok(Number.isInteger(few) && few > 0 && few < 200, String(few));
      const text = 'many words '.repeat(500);
      const longer =
        style === 'messages'
          ? { ...extra, messages: [{ role: 'user', content: text }] }
          : { contents: [{ parts: [{ text }] }] };
      const { [field]: many = 0 } = (await (await callNative(world, { ...call, extra: longer })).json()) as Record<
        string,
        number
      >;
      assert.ok(many > few + 500, `${few} and ${many}`);
      assert.deepEqual([await moneyOf(world), world.calls()], [{}, []]);
    });

    test(`of ${style} is estimated where the upstream wants a pause, at once and while it lasts`, async (t) => {
      const limited = { provider, base_url: gateway.upstream.baseUrl(provider, 'rate-limited-30') };
      const world = await makeWorld(gateway, t, { channels: [limited] });
      for (let round = 0; round < 2; round++) {
        const call = { style, model: world.model, headers: ownHeaders(style, world.key), method };
        const counted = await callNative(world, { ...call, extra });
        assert.equal(counted.status, 200, await counted.text());
        assert.equal(counted.headers.get('x-tollgate-usage-source'), 'estimated');
      }
    });

    test(`of ${style} is estimated where the upstream has no path for it (contract 5)`, async (t) => {
      const stub = await startStub(t, (_request, response) =>
        sendJson(response, 404, { error: { message: 'Not Found', code: 404 } }),
      );
      const world = await makeWorld(gateway, t, { channels: [{ provider, base_url: new URL(stub).origin }] });
      const call = { style, model: world.model, headers: ownHeaders(style, world.key), method, extra };
      const counted = await callNative(world, call);
      assert.equal(counted.status, 200);
      assert.equal(counted.headers.get('x-tollgate-usage-source'), 'estimated');
      const { [field]: tokens = 0 } = (await counted.json()) as Record<string, number>;
      assert.ok(tokens > 0, String(tokens));
    });

    test(`of ${style} refuses what the endpoint itself refuses, in its own words`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channelOf(provider)] });
      const headers = ownHeaders(style, world.key);
      const wrong = style === 'messages' ? { messages: 'none' } : { contents: 'none' };
      const refused = await callNative(world, { style, model: world.model, headers, method, extra: wrong });
      const { message } = await readNativeError(refused, style, 400);
      assert.match(message, style === 'messages' ? /'messages'/ : /'contents'/);
      const unknown = await callNative(world, { style, model: 'nobody-has-this', headers, method, extra });
      await readNativeError(unknown, style, 404);
    });
  }
});
