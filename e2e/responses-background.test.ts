// Responses that go on in the background: held for until somebody sees how they ended, charged by what they used, once.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import OpenAI from 'openai';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { moneyOf, post } from './support/endpoint-checks.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { nano, requestsOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { pause, waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: World): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

function costs(usage: OpenAI.Responses.ResponseUsage | undefined | null): bigint {
  assert.ok(usage);
  const cached = usage.input_tokens_details.cached_tokens;
  return BigInt(usage.input_tokens - cached) * 2_500n + BigInt(cached) * 1_250n + BigInt(usage.output_tokens) * 10_000n;
}

const IN_TIME_MS = 10_000;
const settled = (world: World): Promise<void> =>
  waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'it was not settled', IN_TIME_MS);

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`background responses on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip, concurrency: 8 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });
    /** Its clock stands still until it is moved: what runs there never ends by itself. */
    const endless = async (t: TestContext, clock = { ms: 1_770_000_000_000 }): Promise<{ base_url: string }> => {
      const upstream = await startSandbox({ now: () => clock.ms });
      t.after(() => upstream.stop());
      return { base_url: upstream.baseUrl('openai') };
    };

    test('are charged by the usage that the first look at their end shows', async (t) => {
      const clock = { ms: 1_770_000_000_000 };
      const world = await makeWorld(gateway, t, { channels: [await endless(t, clock)] });
      const sdk = client(world);
      const ask = { model: world.model, input: 'take your time', background: true, max_output_tokens: 500 };
      const made = await sdk.responses.create(ask);
      assert.equal(made.status, 'queued');
      assert.deepEqual(Object.keys(await moneyOf(world)), ['hold']);
      clock.ms += 60_000;
      let seen = made;
      await waitUntil(
        async () => {
          seen = await sdk.responses.retrieve(made.id);
          // A client that sees the end has been charged.
          return seen.status === 'completed';
        },
        'it did not end',
        IN_TIME_MS,
      );
      const { hold = 0n, settle, release = 0n } = await moneyOf(world);
      assert.deepEqual([settle, settle === undefined ? 0n : settle + release], [costs(seen.usage), hold]);
      await sdk.responses.retrieve(made.id);
      await pause(2_500); // the gateway would have asked by now
      assert.deepEqual(await moneyOf(world), { hold, settle, release });
      const logged = (await requestsOf(gateway, { account_id: world.account.id })).filter(
        ({ endpoint }) => endpoint === '/v1/responses',
      );
      assert.deepEqual(
        logged.map(({ charge, usage_source }) => [nano(charge), usage_source]),
        [[settle, 'upstream']],
      );
    });

    test('that nobody looks at are charged by what the gateway itself is answered', async (t) => {
      const world = await makeWorld(gateway, t);
      const sdk = client(world);
      const { id } = await sdk.responses.create({ model: world.model, input: 'alone', background: true });
      await settled(world);
      const { settle } = await moneyOf(world);
      assert.equal(settle, costs((await sdk.responses.retrieve(id)).usage));
    });

    test('that are cancelled before they made anything cost nothing', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [await endless(t)] });
      const sdk = client(world);
      const { id } = await sdk.responses.create({ model: world.model, input: 'never mind', background: true });
      assert.equal((await sdk.responses.cancel(id)).status, 'cancelled');
      const { hold, release, settle } = await moneyOf(world);
      assert.deepEqual([release, settle], [hold, undefined]);
    });

    test('that are deleted while they run cost all that was held for, for nobody can tell any more', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [await endless(t)] });
      const sdk = client(world);
      const ask = { model: world.model, input: 'gone', background: true, max_output_tokens: 50 };
      const { id } = await sdk.responses.create(ask);
      await sdk.responses.delete(id);
      const size = JSON.stringify(ask).length;
      const { settle } = await moneyOf(world);
      assert.equal(settle, BigInt(Math.ceil(size / 4)) * 2_500n + 50n * 10_000n);
      const [logged] = await requestsOf(gateway, { account_id: world.account.id });
      assert.equal(logged?.usage_source, 'estimated');
    });

    test('that were made to fit and are deleted while they run cost no more than was held for', async (t) => {
      const channels = [await endless(t)];
      const world = await makeWorld(gateway, t, {
        credit: '0.003',
        channels,
        token: { options: { fit_balance: true } },
      });
      const sdk = client(world);
      const { id } = await sdk.responses.create({ model: world.model, input: 'gone', background: true });
      await sdk.responses.delete(id);
      const { hold = 0n, settle = 0n } = await moneyOf(world);
      assert.ok(settle > 0n && settle <= hold, `${settle} of ${hold}`);
    });

    test('that are streamed are found from their first event on, and settled when their client has left', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ behave: 'slow-300' }] });
      const sdk = client(world);
      const ask = { model: world.model, input: 'a long story, please', background: true, stream: true } as const;
      const stream = await sdk.responses.create(ask);
      let id = '';
      for await (const event of stream) {
        if (event.type !== 'response.created') continue;
        ({ id } = event.response);
        assert.equal((await sdk.responses.retrieve(id)).id, id);
        break; // leaves
      }
      assert.notEqual(id, '');
      await settled(world);
      const { settle } = await moneyOf(world);
      assert.equal(settle, costs((await sdk.responses.retrieve(id)).usage));
    });

    test('that are streamed to their end are charged as any other', async (t) => {
      const world = await makeWorld(gateway, t);
      const ask = { model: world.model, input: 'short', background: true } as const;
      const final = await client(world)
        .responses.stream({ ...ask, stream: true })
        .finalResponse();
      assert.equal((await moneyOf(world))['settle'], costs(final.usage));
    });

    test('with a file that the upstream keeps are charged by its count, however short the body', async (t) => {
      const usage = { input_tokens: 300_000, output_tokens: 5 };
      const base_url = await startStub(t, ({ method }, response) =>
        sendJson(response, 200, {
          id: 'resp_kept',
          object: 'response',
          output: [],
          ...(method === 'POST' ? { status: 'queued', usage: null } : { status: 'completed', usage }),
        }),
      );
      const world = await makeWorld(gateway, t, { channels: [{ base_url, options: { shared_objects: true } }] });
      const content = [{ type: 'input_file', file_id: 'file-1' }];
      const response = await post(world, '/v1/responses', { input: [{ role: 'user', content }], background: true });
      assert.equal(response.status, 200);
      await settled(world);
      assert.equal((await moneyOf(world))['settle'], 300_000n * 2_500n + 5n * 10_000n);
    });

    test('of an upstream that names no id are charged all at once', async (t) => {
      const base_url = await startStub(t, (_request, response) =>
        sendJson(response, 200, { object: 'response', status: 'queued', output: [], usage: null }),
      );
      const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
      const response = await post(world, '/v1/responses', { input: 'x', background: true, max_output_tokens: 10 });
      assert.equal(response.status, 200);
      const size = JSON.stringify({ model: world.model, input: 'x', background: true, max_output_tokens: 10 }).length;
      assert.equal((await moneyOf(world))['settle'], BigInt(Math.ceil(size / 4)) * 2_500n + 10n * 10_000n);
    });
  });
}
