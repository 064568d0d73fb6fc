import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { giveBackMemory } from './give-back-memory.ts';
import { UpstreamClient } from '../../providers/call-upstream.ts';
import type { UpstreamRequest } from '../../providers/upstream-request.ts';
import { quickReads } from './quick-reads.ts';
import { Pool, request as ask } from './undici.ts';

const limits = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 };

interface Options {
  origin: string;
  /** How long the call is paused after its first piece. */
  pauseMs?: number;
  reader?: Reader;
}

/** Small requests go by our own lines, the others by the client library. */
type Reader = 'library' | 'pool';
const STORED = { length: 1, open: () => [Buffer.from('.')] };

/** The body's digest, or why there is none. */
async function fetchBody(t: TestContext, { origin, pauseMs = 0, reader = 'library' }: Options): Promise<string> {
  const client = new UpstreamClient();
  t.after(() => client.close());
  const body = reader === 'pool' ? null : STORED;
  const request: UpstreamRequest = { origin, path: '/', method: 'POST', headers: {}, body, limits };
  return new Promise((resolve) => {
    const hash = createHash('sha256');
    let isFirst = true;
    const call = client.call(request, {
      onStart: () => {},
      onData(piece) {
        hash.update(piece);
        if (!isFirst || pauseMs === 0) return;
        isFirst = false;
        call.pause();
        setTimeout(() => call.resume(), pauseMs);
      },
      onEnd: () => resolve(hash.digest('hex')),
      onFail: (error) => resolve(error.errorClass),
    });
  });
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Answers every connection with these bytes, in pieces of the given size, and closes it if asked to. */
async function answerWith(
  t: TestContext,
  { bytes, pieceBytes, close }: { bytes: Buffer; pieceBytes: number; close: boolean },
): Promise<string> {
  const server: Server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    const send = async (): Promise<void> => {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        if (!socket.write(bytes.subarray(at, at + pieceBytes))) await once(socket, 'drain');
        else if (pieceBytes < 4096) await wait(1);
      }
      if (close) socket.end();
    };
    socket.once('data', () => void send());
    t.after(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function whole(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')];
  for (let at = 0; at < body.length; at += 5000) {
    const piece = body.subarray(at, at + 5000);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

function untilClosed(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), body]);
}

for (const reader of ['library', 'pool'] as const) {
  describe(`bodies arrive byte by byte as they were sent, by the ${reader}`, () => {
    const large = randomBytes(3_000_000);
    const small = randomBytes(3000);
    for (const [framing, frame] of Object.entries({ whole, chunked, untilClosed })) {
      for (const close of framing === 'untilClosed' ? [true] : [false, true]) {
        const ends = close ? ', and the upstream hangs up at once' : '';
        test(`${framing}${ends}`, async (t) => {
          const origin = await answerWith(t, { bytes: frame(large), pieceBytes: 1_000_000, close });
          assert.equal(await fetchBody(t, { origin, reader }), digest(large));
        });
        test(`${framing}, to a call that pauses${ends}`, async (t) => {
          const origin = await answerWith(t, { bytes: frame(large), pieceBytes: 1_000_000, close });
          assert.equal(await fetchBody(t, { origin, reader, pauseMs: 150 }), digest(large));
        });
        test(`${framing}, in tiny pieces${ends}`, async (t) => {
          const origin = await answerWith(t, { bytes: frame(small), pieceBytes: 7, close });
          assert.equal(await fetchBody(t, { origin, reader }), digest(small));
        });
        test(`${framing}, all of it waiting while the call pauses${ends}`, async (t) => {
          const origin = await answerWith(t, { bytes: frame(small), pieceBytes: 1500, close });
          assert.equal(await fetchBody(t, { origin, reader, pauseMs: 150 }), digest(small));
        });
      }
    }

    test('and a body that is cut short is none', async (t) => {
      const origin = await answerWith(t, { bytes: whole(large).subarray(0, -1), pieceBytes: 1_000_000, close: true });
      assert.equal(await fetchBody(t, { origin, reader, pauseMs: 50 }), 'unreachable');
    });
  });
}

test('what the parser takes at once does not touch the list of the stream, and what it leaves does', async (t) => {
  const push = t.mock.method(Socket.prototype, 'push');
  const body = randomBytes(3000);
  const origin = await answerWith(t, { bytes: whole(body), pieceBytes: 500, close: false });
  assert.equal(await fetchBody(t, { origin }), digest(body));
  const pushed = (): number =>
    push.mock.calls.filter(({ this: socket }) => (socket as Socket).remotePort === portOf(origin)).length;
  assert.equal(pushed(), 0);
  assert.equal(await fetchBody(t, { origin, pauseMs: 100 }), digest(body));
  assert.ok(pushed() > 0);
});

for (const reader of ['library', 'pool'] as const) {
  test(`an open stream by the ${reader} keeps little more memory than its own pieces, whatever else came meanwhile`, async (t) => {
    const streams = 20;
    const sockets: Socket[] = [];
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n.\r\n'));
      t.after(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new UpstreamClient();
    t.after(() => client.close());
    const other = await answerWith(t, { bytes: whole(randomBytes(40_000)), pieceBytes: 900, close: false });
    const before = process.memoryUsage().arrayBuffers;
    const body = reader === 'pool' ? null : STORED;
    const request: UpstreamRequest = { origin, path: '/', method: 'POST', headers: {}, body, limits };
    for (let at = 0; at < streams; at += 1) {
      await new Promise<void>((resolve) => {
        client.call(request, { onStart: () => {}, onData: () => resolve(), onEnd: () => {}, onFail: () => {} });
      });
      await fetchBody(t, { origin: other, reader });
    }
    giveBackMemory();
    const each = (process.memoryUsage().arrayBuffers - before) / streams;
    assert.ok(each < 4_000, `${each.toFixed(0)} bytes of buffers for each stream`);
  });
}

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}

// A key that both sides know spares the certificate.
const KEY = randomBytes(32);
const SHARED_KEY = { ciphers: 'PSK+HIGH', maxVersion: 'TLSv1.2' } as const;

test('sockets with TLS read the same way', async (t) => {
  const body = randomBytes(20_000);
  const server = createTlsServer({ ...SHARED_KEY, pskCallback: () => KEY }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(whole(body)));
    t.after(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const push = t.mock.method(TLSSocket.prototype, 'push');
  const pskCallback = () => ({ psk: KEY, identity: 'upstream' });
  const connect = { ...SHARED_KEY, pskCallback, onread: quickReads, checkServerIdentity: () => undefined };
  const origin = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pool = new Pool(origin, { connect, allowH2: false });
  t.after(() => pool.destroy());
  const answer = await ask(pool, origin, { method: 'GET' });
  assert.equal(digest(Buffer.from(await answer.body.bytes())), digest(body));
  assert.equal(
    push.mock.calls.filter(({ this: socket }) => (socket as Socket).remotePort === portOf(origin.href)).length,
    0,
  );
});
