// The channels of one model may speak different protocols: each is asked in its own, and what the answering one could not
// be translated is named, not what an earlier one could not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientsOf } from '../conformance/axes.ts';
import { chat as askChat } from '../support/chat.ts';
import { requestsOf } from '../support/money.ts';
import { type ChannelOptions, makeWorld, suiteGateway } from '../support/world.ts';

const COUNT = { prompt: 'Count: one two HALT three', stop: 'HALT' };

describe('channels of different protocols for one model', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const responses = (behave?: string): ChannelOptions => ({
    options: { speaks: ['responses'] },
    ...(behave !== undefined && { behave }),
  });
  const anthropic = (behave?: string): ChannelOptions => ({
    provider: 'anthropic',
    base_url: gateway.upstream.baseUrl('anthropic', behave),
  });

  for (const stream of [false, true]) {
    const mode = stream ? 'streamed' : 'whole';

    test(`the second is asked in its own words, and nothing is named that it was sent, ${mode}`, async (t) => {
      const channels = [{ ...responses('fail-500'), priority: 2 }, anthropic()];
      const world = await makeWorld(gateway, t, { channels });
      const [chat] = clientsOf({ address: gateway.address, key: world.key });
      const seen = await chat?.ask({ question: COUNT, model: world.model, stream });
      assert.deepEqual([seen?.error, seen?.dropped, seen?.text], [undefined, [], 'You said: Count: one two ']);
    });

    test(`nothing is named where the second speaks the caller's own protocol, ${mode}`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ ...responses('fail-500'), priority: 2 }, {}] });
      const [chat] = clientsOf({ address: gateway.address, key: world.key });
      const seen = await chat?.ask({ question: COUNT, model: world.model, stream });
      assert.deepEqual([seen?.error, seen?.dropped, seen?.text], [undefined, [], 'You said: Count: one two ']);
    });

    test(`a wrong key of a generate-content channel moves on, ${mode}`, async (t) => {
      const base_url = gateway.upstream.baseUrl('gemini');
      const gemini: ChannelOptions = { provider: 'gemini', base_url, keys: ['wrong-key-of-gemini'], priority: 2 };
      const world = await makeWorld(gateway, t, { channels: [gemini, {}] });
      const [chat] = clientsOf({ address: gateway.address, key: world.key });
      const seen = await chat?.ask({ question: COUNT, model: world.model, stream });
      assert.deepEqual([seen?.error, seen?.text], [undefined, 'You said: Count: one two ']);
    });

    test(`what cannot be translated for the second is named although the first was sent it, ${mode}`, async (t) => {
      const channels = [{ ...anthropic('fail-500'), priority: 2 }, responses()];
      const world = await makeWorld(gateway, t, { channels });
      const [chat] = clientsOf({ address: gateway.address, key: world.key });
      const seen = await chat?.ask({ question: COUNT, model: world.model, stream });
      assert.deepEqual([seen?.error, seen?.dropped], [undefined, ['stop']]);
    });

    test(`a token may be strict for all its calls, and one call less so, ${mode}`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [responses()], token: { options: { strict: true } } });
      const [chat] = clientsOf({ address: gateway.address, key: world.key });
      const refused = await chat?.ask({ question: COUNT, model: world.model, stream });
      assert.equal(refused?.error?.status, 400);
      const headers = { 'x-tollgate-strict': 'false' };
      const answer = await askChat(world, 'Count', { stop: ['HALT'], stream }, { headers });
      assert.deepEqual([answer.status, answer.headers.get('x-tollgate-dropped')], [200, 'stop']);
      await answer.text();
    });

    test(`a strict caller is refused for what cannot be translated, and pays nothing, ${mode}`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [responses()] });
      for (const client of clientsOf({ address: gateway.address, key: world.key })) {
        if (client.name === 'responses') continue;
        const { error } = await client.ask({ question: COUNT, model: world.model, stream, strict: true });
        assert.equal(error?.status, 400);
        assert.ok(error.message.includes(`'${client.stopField}'`), error.message);
      }
      assert.deepEqual(world.calls(), []);
      const logged = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual([...new Set(logged.map(({ status, charge }) => `${status} ${charge}`))], ['400 0']);
    });
  }
});
