// Responses that an upstream keeps: found again by their account, at the channel and key that made them, at no cost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import type { SandboxRecord } from '../server/src/sandbox/server.ts';
import { readError } from './support/chat.ts';
import { moneyOf, post } from './support/endpoint-checks.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { ledgerOf, requestsOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: World): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

function call({ gateway, key }: World, method: string, path: string): Promise<Response> {
  return fetch(`${gateway.address}/v1/responses/${path}`, { method, headers: { authorization: `Bearer ${key}` } });
}

const modelOf = (record: SandboxRecord | undefined): unknown =>
  (record?.body as { model?: unknown } | undefined)?.model;

const disable = (world: World, channel: number): Promise<unknown> =>
  world.gateway.operator('PATCH', `/channels/${world.channels[channel]?.id}`, { status: 'disabled' });

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`stored responses on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip, concurrency: 8 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });
    watchAnswers(gateway);

    test('are retrieved, listed by input and deleted by the openai library, at no cost', async (t) => {
      const world = await makeWorld(gateway, t);
      const sdk = client(world);
      const made = await sdk.responses.create({ model: world.model, input: 'Remember the milk' });
      const paid = await moneyOf(world);
      const read = await sdk.responses.retrieve(made.id);
      assert.deepEqual([read.id, read.output_text], [made.id, made.output_text]);
      const items: string[] = [];
      for await (const item of sdk.responses.inputItems.list(made.id, { limit: 1 })) items.push(JSON.stringify(item));
      assert.match(items.join(), /Remember the milk/);
      await sdk.responses.delete(made.id);
      await assert.rejects(sdk.responses.retrieve(made.id), (error) => {
        assert.ok(error instanceof OpenAI.NotFoundError);
        assert.equal(error.code, 'not_found');
        assert.match(error.message, new RegExp(made.id));
        return true;
      });
      assert.deepEqual(await moneyOf(world), paid);
      assert.equal((await ledgerOf(gateway, { account_id: world.account.id })).length, 4);
      const logged = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual(
        logged.map(({ endpoint, status, charge }) => [endpoint, status, charge === '0']),
        [
          ['/v1/responses', 200, false],
          ['/v1/responses/{id}', 200, true],
          ['/v1/responses/{id}/input_items', 200, true],
          ['/v1/responses/{id}', 200, true],
          ['/v1/responses/{id}', 404, true],
        ],
      );
    });

    test('are gone on from at the channel and key that made them, whole and streamed', async (t) => {
      const keys = ['first-key-0001', 'second-key-0002', 'third-key-0003'];
      const world = await makeWorld(gateway, t, { channels: [{ keys }, { keys }] });
      const sdk = client(world);
      for (let round = 0; round < 6; round++) {
        const ask = { model: world.model, input: `round ${round}` };
        const made =
          round % 2 === 0
            ? await sdk.responses.create(ask)
            : await sdk.responses.stream({ ...ask, stream: true }).finalResponse();
        const first = world.calls().at(-1);
        // Only the key that made it knows it upstream: these would fail anywhere else.
        for (let round = 0; round < 3; round++) {
          await sdk.responses.create({ ...ask, previous_response_id: made.id });
          const next = world.calls().at(-1);
          assert.deepEqual([next?.keyHint, next?.path], [first?.keyHint, first?.path]);
          assert.equal(modelOf(next), modelOf(first));
          await sdk.responses.retrieve(made.id);
        }
      }
    });

    test('are remembered before the end of the stream is seen', async (t) => {
      const world = await makeWorld(gateway, t);
      const stream = await client(world).responses.create({ model: world.model, input: 'hello', stream: true });
      for await (const event of stream)
        if (event.type === 'response.completed')
          assert.equal((await call(world, 'GET', event.response.id)).status, 200);
    });

    test('are not found by another account, nor when nobody made them, nor with store off', async (t) => {
      const world = await makeWorld(gateway, t);
      const stranger = await makeWorld(gateway, t);
      const made = await client(world).responses.create({ model: world.model, input: 'mine' });
      const unstored = await client(world).responses.create({ model: world.model, input: 'x', store: false });
      for (const [who, id] of [
        [stranger, made.id],
        [world, 'resp_nobody'],
        [world, unstored.id],
      ] as const) {
        for (const [method, path] of [
          ['GET', id],
          ['GET', `${id}/input_items`],
          ['DELETE', id],
          ['POST', `${id}/cancel`],
        ] as const) {
          const error = await readError(await call(who, method, path), 404, 'not_found');
          assert.match(error.message, new RegExp(id));
        }
        const response = await post(who, '/v1/responses', { input: 'go on', previous_response_id: id });
        const error = await readError(response, 404, 'not_found');
        assert.deepEqual([error.param, error.message.includes(id)], ['previous_response_id', true]);
      }
      assert.equal((await call(world, 'GET', made.id)).status, 200);
      assert.deepEqual(await moneyOf(stranger), {});
    });

    test('of a real channel are out of reach of test tokens, whatever is asked (contract 5)', async (t) => {
      const world = await makeWorld(gateway, t);
      const made = await client(world).responses.create({ model: world.model, input: 'mine' });
      const { key } = await makeToken(gateway, { account_id: world.account.id, mode: 'test' });
      const calls = world.calls().length;
      for (const [method, path] of [
        ['GET', made.id],
        ['GET', `${made.id}/input_items`],
        ['DELETE', made.id],
        ['POST', `${made.id}/cancel`],
      ] as const)
        await readError(await call({ ...world, key }, method, path), 404, 'not_found');
      assert.equal(world.calls().length, calls);
      assert.equal((await call(world, 'GET', made.id)).status, 200);
    });

    test('in the background are cancelled where they run, and what the upstream refuses is passed on', async (t) => {
      const world = await makeWorld(gateway, t);
      const sdk = client(world);
      const running = await sdk.responses.create({ model: world.model, input: 'long [[slow 3000]]', background: true });
      assert.equal((await sdk.responses.cancel(running.id)).id, running.id);
      const done = await sdk.responses.create({ model: world.model, input: 'short' });
      await assert.rejects(sdk.responses.cancel(done.id), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        assert.match(error.message, /Cannot cancel a synchronous response/);
        return true;
      });
    });

    test('of a disabled channel can be read and deleted, but not gone on from', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ priority: 1 }, {}] });
      const sdk = client(world);
      const made = await sdk.responses.create({ model: world.model, input: 'hello' });
      await disable(world, 0);
      assert.equal((await sdk.responses.retrieve(made.id)).id, made.id);
      const paid = await moneyOf(world);
      const response = await post(world, '/v1/responses', { input: 'go on', previous_response_id: made.id });
      await readError(response, 503, 'no_channel_available');
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
      assert.deepEqual(await moneyOf(world), paid);
      await sdk.responses.delete(made.id);
      assert.equal(world.calls(1).length, 0);
    });

    test('at an upstream that fails are not looked for elsewhere', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ priority: 1 }, {}] });
      const made = await client(world).responses.create({ model: world.model, input: 'hello' });
      const body = { input: 'go on [[fail 500]]', previous_response_id: made.id };
      await readError(await post(world, '/v1/responses', body), 502, 'upstream_error');
      assert.equal(world.calls(1).length, 0);
    });

    test('have no other paths, and a wrong method is refused with the right ones (contract 4)', async (t) => {
      const world = await makeWorld(gateway, t);
      const made = await client(world).responses.create({ model: world.model, input: 'hello' });
      for (const path of [`${made.id}/other`, '..%2Fmodels'])
        assert.equal((await call(world, 'GET', path)).status, 404, path);
      for (const [method, path, allow] of [
        ['POST', made.id, 'DELETE, GET, HEAD'],
        ['DELETE', `${made.id}/input_items`, 'GET, HEAD'],
      ] as const) {
        const refused = await call(world, method, path);
        assert.deepEqual([refused.status, refused.headers.get('allow')], [405, allow], path);
      }
    });
  });
}
