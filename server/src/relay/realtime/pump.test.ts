// Events through a pump to a side that does not read: what waits is bounded, nothing is lost, the order stays.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { waitUntil } from '../../testing/wait-until.ts';
import { Pump } from './pump.ts';
import { closeSocket, isSendable, sendEvent } from './send-event.ts';

/** Both ends of one WebSocket. */
async function openPair(t: TestContext): Promise<{ inside: WebSocket; outside: WebSocket }> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  const accepted = Promise.withResolvers<WebSocket>();
  const server = createServer().on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, accepted.resolve),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outside = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => {
    outside.terminate();
    server.close();
  });
  outside.on('error', () => {});
  await once(outside, 'open');
  return { inside: await accepted.promise, outside };
}

const EVENT_BYTES = 64 * 1024;
const EVENTS = 400;
const MOST_WAITING = 1024 * 1024 + 2 * EVENT_BYTES;

test('a side that reads slowly holds back the other one, and gets everything in order when it reads (promise B-03)', async (t) => {
  const [from, to] = [await openPair(t), await openPair(t)];
  const pump = new Pump(from.inside, (bytes) => sendEvent(to.inside, bytes));
  const seen: number[] = [];
  to.outside.on('message', (bytes) => seen.push(Number.parseInt(bytes.toString('latin1', 0, 8), 10)));
  to.outside.pause();
  for (let index = 0; index < EVENTS; index++) {
    from.outside.send(String(index).padEnd(EVENT_BYTES, ' '));
  }
  await waitUntil(() => pump.isBusy, 'nothing waits');
  assert.ok(to.inside.bufferedAmount <= MOST_WAITING, String(to.inside.bufferedAmount));
  assert.ok(from.outside.bufferedAmount > 0, 'all of it was taken');
  to.outside.resume();
  await waitUntil(() => seen.length === EVENTS, 'not all of it came');
  assert.deepEqual(
    seen,
    Array.from({ length: EVENTS }, (_, index) => index),
  );
  assert.ok(to.inside.bufferedAmount <= MOST_WAITING);
});

test('events that wait for something are handled one after another, and none after a stop', async (t) => {
  const { inside, outside } = await openPair(t);
  const order: string[] = [];
  let release = (): void => {};
  const pump = new Pump(inside, (bytes) => {
    order.push(`begin ${bytes.toString()}`);
    return new Promise<void>((resolve) => {
      release = resolve;
    }).then(() => void order.push(`end ${bytes.toString()}`));
  });
  for (const text of ['1', '2', '3']) outside.send(text);
  await waitUntil(() => order.length === 1, 'nothing came');
  release();
  await waitUntil(() => order.length === 3, 'the second did not come');
  pump.stop();
  release();
  await pump.idle();
  assert.deepEqual(order, ['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('codes that nobody may send become the end of the connection, long reasons are cut', async (t) => {
  assert.deepEqual([1000, 1001, 1011, 3000, 4999].map(isSendable), [true, true, true, true, true]);
  assert.deepEqual([1004, 1005, 1006, 1015, 2999].map(isSendable), [false, false, false, false, false]);
  for (const [code, expected] of [
    [1005, 1005],
    [1006, 1006],
    [4000, 4000],
  ] as const) {
    const { inside, outside } = await openPair(t);
    closeSocket(inside, code, 'é'.repeat(100));
    const [came, reason] = (await once(outside, 'close')) as [number, Buffer];
    assert.equal(came, expected);
    assert.ok(reason.length <= 123);
  }
});
