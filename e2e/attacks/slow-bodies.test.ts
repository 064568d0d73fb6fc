// Bodies that trickle: every route gives them up, whether it reads them or not (promise B-07: slow bodies by
// 60 s or below a minimum rate). The seconds of a body that is read are counted by hand; what is left unread behind an
// answer has 5 s of the clock. In real time: FT-19 of `npm run faults`.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { lookAtOpenBodies } from '../../server/src/http/body-pace.ts';
import { OPERATOR_KEY } from '../support/gateway.ts';
import { openSocket, statuses } from '../support/socket.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';

const OPERATOR = `Authorization: Bearer ${OPERATOR_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const FORM = 'Content-Type: multipart/form-data; boundary=b';
const LONG = 'Content-Length: 900000';
const CHUNKED = 'Transfer-Encoding: chunked';
/** What every answer has when its body is given up for being slow. */
const SLOW = 408;

interface Trickle {
  socket: Socket;
  /** Sends a byte, in a chunk where the body comes in chunks. */
  drip(): void;
  heard(): string;
}

describe('slow bodies', { concurrency: 2 }, async () => {
  const gateway = await suiteGateway();

  const trickle = (line: string, ...headers: string[]): Trickle => {
    const socket = openSocket(gateway.address);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`);
    const drop = headers.includes(CHUNKED) ? '1\r\n{\r\n' : '{';
    return { socket, drip: () => void (socket.writable && socket.write(drop)), heard: () => text };
  };

  test('one that is read has a deadline and a least pace, on the operator API as elsewhere', async (t) => {
    const world = await makeWorld(gateway, t);
    const own = `Authorization: Bearer ${world.key}`;
    const read = [
      trickle('POST /operator/v1/accounts', OPERATOR, JSON_TYPE, LONG),
      trickle('POST /operator/v1/accounts', OPERATOR, JSON_TYPE, CHUNKED),
      trickle('PUT /operator/v1/models/x', OPERATOR, JSON_TYPE, LONG),
      trickle('POST /operator/v1/session', JSON_TYPE, LONG),
      trickle('POST /v1/chat/completions', own, JSON_TYPE, LONG),
      trickle('POST /v1/chat/completions', own, JSON_TYPE, CHUNKED),
      trickle('POST /v1/images/edits', own, FORM, LONG),
      trickle('POST /v1/videos', own, FORM, CHUNKED),
    ];
    await wait(1_500); // a small request is node:http's after a second
    for (let second = 0; second < 60; second++) {
      for (const { drip } of read) drip();
      await wait(10);
      lookAtOpenBodies();
    }
    for (const { heard, socket } of read) {
      await waitUntil(() => heard() !== '' || socket.destroyed, 'it is still read', 5_000);
      assert.deepEqual(statuses(heard()), [SLOW], heard());
    }
    await Promise.all(read.map(({ socket }) => endOf(socket)));
    assert.equal(world.calls().length, 0);
  });

  test('one that falls silent is given up after 30 s', async () => {
    const silent = trickle('POST /operator/v1/accounts', OPERATOR, JSON_TYPE, LONG);
    await wait(1_500);
    for (let second = 0; second < 31; second++) lookAtOpenBodies();
    await waitUntil(() => silent.heard() !== '', 'it is still awaited', 5_000);
    assert.deepEqual(statuses(silent.heard()), [SLOW]);
  });

  test('one that nobody reads ends its connection soon after the answer', async (t) => {
    const world = await makeWorld(gateway, t);
    const own = `Authorization: Bearer ${world.key}`;
    const expected: [number, Trickle][] = [
      [404, trickle('POST /v1/nothing', JSON_TYPE, LONG)],
      [404, trickle('POST /nothing', JSON_TYPE, CHUNKED)],
      [404, trickle('POST /operator/v1/nothing', OPERATOR, JSON_TYPE, LONG)],
      [405, trickle('PUT /v1/chat/completions', own, JSON_TYPE, LONG)],
      [401, trickle('POST /v1/chat/completions', JSON_TYPE, LONG)],
      [401, trickle('POST /operator/v1/accounts', JSON_TYPE, LONG)],
      [401, trickle('POST /operator/v1/accounts', JSON_TYPE, CHUNKED)],
      [200, trickle('GET /healthz', LONG)],
      [200, trickle('GET /readyz', CHUNKED)],
      [200, trickle('GET /metrics', LONG)],
      [200, trickle('GET /v1/models', own, LONG)],
      [404, trickle('DELETE /v1/videos/task_x', own, CHUNKED)],
      [415, trickle('POST /v1/chat/completions', own, 'Content-Type: text/plain', LONG)],
      [413, trickle('POST /v1/chat/completions', own, JSON_TYPE, 'Content-Length: 900000000')],
      [400, trickle('POST /v1/chat/completions', own, own, JSON_TYPE, LONG)],
    ];
    const dripping = setInterval(() => {
      for (const [, { drip }] of expected) drip();
    }, 500);
    t.after(() => clearInterval(dripping));
    const closed = Promise.all(expected.map(([, { socket }]) => endOf(socket)));
    await Promise.race([closed, wait(30_000, undefined, { ref: false })]);
    for (const [status, { heard, socket }] of expected) {
      assert.deepEqual(statuses(heard()), [status], heard());
      assert.ok(socket.closed, `open after ${status}: ${heard().slice(0, 300)}`);
    }
  });
});

/** By a reset too. */
function endOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));
}
