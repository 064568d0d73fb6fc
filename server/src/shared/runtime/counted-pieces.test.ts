import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freeReleased, allocateCounted } from './counted-bytes.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { UpstreamClient } from '../../providers/call-upstream.ts';
import { CountedPieces } from './counted-pieces.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';

const KIB = 1024;
const make = (): Buffer => allocateCounted(512 * KIB).fill('x');

/** How many bytes are left of it after an attempt to free it. */
function leftOf(bytes: Buffer): number {
  freeReleased(bytes);
  return bytes.length;
}

test('what stands before, between and behind large pieces is joined, and is a copy', () => {
  const bytes = make();
  const text = (piece: Buffer): Buffer => Buffer.from(piece);
  const pieces = [
    bytes.subarray(0, 5),
    text(Buffer.from('a')),
    bytes.subarray(6, 300 * KIB),
    bytes.subarray(500 * KIB),
  ];
  const wanted = Buffer.concat(pieces);
  const sent = [...new CountedPieces(pieces)];
  assert.ok(Buffer.concat(sent).equals(wanted));
  assert.deepEqual(
    sent.map(({ buffer }) => buffer === bytes.buffer),
    [false, true, false],
  );
});

test('a body is not free before somebody asks for what comes behind its last large piece', () => {
  const bytes = make();
  const walk = new CountedPieces([bytes.subarray(0, 256 * KIB), bytes.subarray(256 * KIB), Buffer.from('end')])[
    Symbol.iterator
  ]();
  for (let asked = 0; asked < 2; asked++) {
    walk.next();
    assert.equal(leftOf(bytes), 512 * KIB);
  }
  walk.next();
  assert.equal(leftOf(bytes), 0);
});

test('one that was given up in the middle, or never begun, or is walked again, is not freed', () => {
  const left = make();
  const walk = new CountedPieces([left])[Symbol.iterator]();
  walk.next();
  walk.return(undefined);
  assert.equal(leftOf(left), 512 * KIB);

  const idle = make();
  const other = new CountedPieces([idle]);
  Array.from(new CountedPieces([idle]));
  assert.equal(leftOf(idle), 512 * KIB);
  assert.ok(other);
});

/** Sends 32 MB, more than all buffers on the way hold, to somebody who has not yet read any of it. */
async function sendToSlow(t: TestContext) {
  const connected = Promise.withResolvers<Socket>();
  const server = createServer((socket) => connected.resolve(socket.on('error', () => {}).pause())).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const client = new UpstreamClient();
  const bytes = allocateCounted(32 * KIB * KIB).fill('x');
  const request = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/',
    method: 'POST' as const,
    headers: {},
    limits: { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 },
  };
  const ignore = (): void => {};
  const sink = { onStart: ignore, onData: ignore, onEnd: ignore, onFail: ignore };
  const call = client.call({ ...request, body: bytes }, sink);
  const socket = await connected.promise;
  t.after(async () => {
    socket.destroy();
    server.close();
    await client.close();
  });
  return { bytes, call, socket };
}

test('a socket that has not sent all keeps the body; one that has does not', async (t) => {
  const { bytes, socket } = await sendToSlow(t);
  await wait(100);
  assert.equal(leftOf(bytes), 32 * KIB * KIB);
  let read = 0;
  let wrong = 0;
  let headBytes = 0;
  socket.on('data', (chunk: Buffer) => {
    const start = read === 0 ? chunk.indexOf('\r\n\r\n') + 4 : 0;
    headBytes += start;
    wrong += chunk.subarray(start).filter((byte) => byte !== 0x78).length;
    read += chunk.length;
    leftOf(bytes); // as soon as anybody thinks that it may be freed
  });
  socket.resume();
  await waitUntil(() => read - headBytes === 32 * KIB * KIB, 'not all was read');
  assert.equal(wrong, 0);
  await waitUntil(() => leftOf(bytes) === 0, 'it is not free');
});

test('a call that was given up in the middle keeps the body until its socket is closed', async (t) => {
  const { bytes, call } = await sendToSlow(t);
  await wait(50);
  call.abort(new UpstreamError('aborted', 'the client left'));
  assert.equal(leftOf(bytes), 32 * KIB * KIB);
});
