// What callers and upstreams may send to break a translation: nothing of it ends the process, hangs a call or costs money.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat } from '../support/chat.ts';
import { balanceOf } from '../support/money.ts';
import { startStub } from '../support/stub.ts';
import { type ChannelOptions, makeWorld, suiteGateway } from '../support/world.ts';

const DEEP = 20_000;
const nested = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
const call = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${nested}}}]},"finishReason":"STOP"}]}`;

describe('translation under attack', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  for (const behave of [undefined, 'fail-500']) {
    test(`a field whose name is half a character is named like any other, with ${behave ?? 'a good answer'}`, async (t) => {
      const base_url = gateway.upstream.baseUrl('anthropic', behave);
      const world = await makeWorld(gateway, t, { channels: [{ provider: 'anthropic', base_url }] });
      for (const stream of [false, true]) {
        const answer = await chat(world, 'hi', { ['\ud800x']: 1, stream });
        await answer.text();
        assert.equal(answer.status, behave === undefined ? 200 : 502);
        assert.equal(answer.headers.get('x-tollgate-dropped'), '%EF%BF%BDx');
      }
      assert.equal((await fetch(`${gateway.address}/healthz`)).status, 200);
    });
  }

  for (const stream of [false, true]) {
    test(`values nested without end are the upstream's fault, ${stream ? 'streamed' : 'whole'}`, async (t) => {
      const base = await startStub(t, (_request, response) => {
        const type = stream ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type }).end(stream ? `data: ${call}` : call);
      });
      const bad: ChannelOptions = { provider: 'gemini', base_url: base.replace(/\/v1$/, ''), priority: 2 };
      const alone = await makeWorld(gateway, t, { channels: [bad] });
      const before = await balanceOf(gateway, alone.account.id);
      const refused = await chat(alone, 'hi', { stream });
      assert.equal(refused.status, 502, await refused.text());
      assert.equal(await balanceOf(gateway, alone.account.id), before);
      const world = await makeWorld(gateway, t, { channels: [bad, {}] });
      assert.equal((await chat(world, 'hi', { stream })).status, 200);
    });
  }

  test('a translated answer is JSON, whatever the upstream calls its own', async (t) => {
    const base = await startStub(t, (_request, response) => {
      const body = { candidates: [{ content: { parts: [{ text: 'hello' }] }, finishReason: 'STOP' }] };
      response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(body));
    });
    const base_url = base.replace(/\/v1$/, '');
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'gemini', base_url }] });
    const answer = await chat(world, 'hi');
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
  });
});
