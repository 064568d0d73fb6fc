// What a token may do with what another token of its account made: read it, as contract 5 says, and nothing more where
// its own scopes do not reach.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, postChat, readError } from '../support/chat.ts';
import { balanceOf } from '../support/money.ts';
import { call, makeVideoWorld, POLL_MS, submitted, untilStatus } from '../support/videos.ts';
import { makeChannel, makeToken, makeWorld, PRICE, suiteGateway, uniqueName } from '../support/world.ts';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('replays by idempotency key', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  test('a token does not get the stored answer of a model that its list excludes', async (t) => {
    const world = await makeWorld(gateway, t);
    const narrow = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    const sister = await makeToken(gateway, { account_id: world.account.id, models: ['sandbox-*'] });
    const key = uniqueName('key');
    assert.equal((await chat(world, 'secret', {}, keyed(key))).status, 200);
    await readError(await chat({ ...world, key: narrow.key }, 'secret', {}, keyed(key)), 403, 'model_not_allowed');
    const replay = await chat({ ...world, key: sister.key }, 'secret', {}, keyed(key));
    assert.equal(replay.headers.get('idempotent-replayed'), 'true', 'a token that may use the model');
    assert.equal(world.calls().length, 1);
  });

  test('nor that of a model which only another group reaches, streamed or native', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ groups: ['vip'] }], token: { group: 'vip' } });
    const plain = await makeToken(gateway, { account_id: world.account.id });
    const stranger = { ...world, key: plain.key };
    const [one, two, three] = [uniqueName('key'), uniqueName('key'), uniqueName('key')];
    const stream = { stream: true };
    assert.equal((await chat(world, 'hello', stream, keyed(one))).status, 200);
    await readError(await chat(stranger, 'hello', stream, keyed(one)), 404, 'model_not_found');
    const path = `/v1beta/models/${world.model}:generateContent`;
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] });
    assert.equal((await postChat(world, body, { path, ...keyed(two) })).status, 200);
    assert.equal((await postChat(stranger, body, { path, ...keyed(two) })).status, 404);
    const message = JSON.stringify({ model: world.model, max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
    const headers = { 'idempotency-key': three, 'anthropic-version': '2023-06-01' };
    assert.equal((await postChat(world, message, { path: '/v1/messages', headers })).status, 200);
    assert.equal((await postChat(stranger, message, { path: '/v1/messages', headers })).status, 404);
  });

  test('nor an answer to a form', async (t) => {
    const price = { unit: 'image', amount: '0.01' } as const;
    const world = await makeWorld(gateway, t, { model: { price } });
    const narrow = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    const key = uniqueName('key');
    const send = (token: string) => {
      const form = new FormData();
      form.set('model', world.model);
      form.set('prompt', 'a hat');
      form.set('image', new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png', { type: 'image/png' }));
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
      return fetch(`${gateway.address}/v1/images/edits`, { method: 'POST', headers, body: form });
    };
    assert.equal((await send(world.key)).status, 200);
    await readError(await send(narrow.key), 403, 'model_not_allowed');
  });

  test('a model that was switched off since is replayed to its own callers (contract 5)', async (t) => {
    const world = await makeWorld(gateway, t);
    const key = uniqueName('key');
    const first = await (await chat(world, 'again', {}, keyed(key))).text();
    await gateway.operator('PUT', `/models/${world.model}`, { price: PRICE, enabled: false });
    const replay = await chat(world, 'again', {}, keyed(key));
    assert.deepEqual([replay.status, await replay.text()], [200, first]);
  });
});

describe('tasks of another token', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });

  test('every token of the account reads them, one outside their model deletes none (contract 5)', async (t) => {
    const world = await makeVideoWorld(gateway, t);
    const { key } = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    const narrow = { ...world, key };
    const id = await submitted(world);
    await readError(await call(narrow, 'DELETE', `/v1/videos/${id}`), 403, 'model_not_allowed');
    assert.equal((await call(narrow, 'GET', `/v1/videos/${id}`)).status, 200, 'reading is the account’s');
    await untilStatus(world, id, 'SUCCESS');
    const balance = await balanceOf(gateway, world.account.id);
    await readError(await call(narrow, 'DELETE', `/v1/videos/${id}`), 403, 'model_not_allowed');
    assert.equal((await call(world, 'GET', `/v1/videos/${id}`)).status, 200);
    assert.equal(await balanceOf(gateway, world.account.id), balance);
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  });

  test('nor one whose group no channel of the model serves', async (t) => {
    const world = await makeVideoWorld(gateway, t, { channels: [{ groups: ['vip'] }], token: { group: 'vip' } });
    const { key } = await makeToken(gateway, { account_id: world.account.id });
    const id = await submitted(world);
    await readError(await call({ ...world, key }, 'DELETE', `/v1/videos/${id}`), 404, 'model_not_found');
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  });

  test('a task outlives its model: its own token can still delete it', async (t) => {
    const world = await makeVideoWorld(gateway, t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    await gateway.operator('PATCH', `/channels/${world.channels[0]?.id}`, { status: 'disabled' });
    await makeChannel(gateway, { [world.model]: 'elsewhere' }, { status: 'disabled' });
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  });
});
