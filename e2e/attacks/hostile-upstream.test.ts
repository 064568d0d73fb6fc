// Upstreams that do what they must not: take a task without naming it, change the protocol, link to themselves.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { chat, readError } from '../support/chat.ts';
import { balanceOf, nano } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { call, makeVideoWorld, submit, submitted, untilStatus } from '../support/videos.ts';
import { makeChannel, makeWorld, suiteGateway, uniqueName } from '../support/world.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: '50' } });
const SECOND_PRICE = { unit: 'second', amount: '0.1', resolution: { '720P': '1', '1080P': '1.78' } };

test('an alpha create answered without an id fails and is refunded within the submit (promise M-08)', async (t) => {
  const seen: string[] = [];
  const baseUrl = await startStub(t, (request, response) => {
    seen.push(String(request.method));
    if (request.method === 'POST') sendJson(response, 200, { output: { task_status: 'PENDING' }, request_id: 'r' });
    else sendJson(response, 200, { data: [], total: 0 });
  });
  const world = await makeWorld(gateway, t, { channels: [], model: { price: SECOND_PRICE } as never });
  await makeChannel(
    gateway,
    { [world.model]: 'alpha-1.1-t2v' },
    { provider: 'alpha', base_url: new URL(baseUrl).origin },
  );
  const before = await balanceOf(gateway, world.account.id);
  const error = await readError(await submit(world, { prompt: uniqueName('nameless') }), 502, 'upstream_error');
  assert.match(error.message, /without an id/);
  assert.equal(nano(await balanceOf(gateway, world.account.id)), nano(before), 'all of it is back');
  assert.equal(seen.filter((method) => method === 'POST').length, 1, 'never sent twice (promise V-05)');
});

test("a link to a result on the channel's own origin gets no key (promise A-03)", async (t) => {
  const world = await makeVideoWorld(gateway, t);
  const id = await submitted(world);
  await untilStatus(world, id, 'SUCCESS');
  const response = await call(world, 'GET', `/v1/videos/${id}/content`);
  assert.equal(response.status, 200);
  await response.arrayBuffer();
  assert.ok(world.stub.downloads.length > 0);
  for (const { authorization } of world.stub.downloads) assert.equal(authorization, undefined);
});

test('an upstream that answers 101 is an upstream error at once (contract 4)', async (t) => {
  const server = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
  await readError(await chat(world, 'hi'), 502, 'upstream_error');
});
