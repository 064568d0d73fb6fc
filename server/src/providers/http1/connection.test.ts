import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { waitUntil } from '../../testing/wait-until.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { isClosed, poolTo, type RecordedCall, send, serveRaw, WELL, whole } from '../../testing/recorded-call.ts';

describe('a call that fails', () => {
  const SHORT: Record<string, [answer: string, outcome: (string | number)[]]> = {
    'before the head': ['', ['start', 'UND_ERR_SOCKET']],
    'inside the head': ['HTTP/1.1 200 OK\r\nx: 1', ['start', 'UND_ERR_SOCKET']],
    'inside its length': ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', ['start', 200, 'data', 'UND_ERR_SOCKET']],
    'before the last chunk': [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
      ['start', 200, 'data', 'UND_ERR_SOCKET'],
    ],
    'before the empty line at its end': [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
      ['start', 200, 'data', 'UND_ERR_SOCKET'],
    ],
  };
  for (const [name, [answer, outcome]] of Object.entries(SHORT)) {
    test(`because the other side closes ${name}`, async (t) => {
      const { origin } = await serveRaw(t, (socket) => socket.end(answer));
      assert.deepEqual(await send(poolTo(t, origin)).outcome(), outcome);
    });
  }

  test('because of a reset, also inside an answer until the end', async (t) => {
    const { origin } = await serveRaw(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nabc');
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    assert.deepEqual(await send(poolTo(t, origin)).outcome(), ['start', 200, 'data', 'ECONNRESET']);
  });

  test('because of garbage hears so at once, though the other side stays', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write('220 mail.example ESMTP\r\n'));
    assert.deepEqual(await send(poolTo(t, origin)).outcome(), ['start', 'HPE_INVALID_CONSTANT']);
    await waitUntil(() => isClosed(sockets[0]), 'it stays open');
  });

  test('because of endless headers takes no more of them than it may', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        if (!socket.destroyed) socket.write('x-more: and more\r\n'.repeat(100), () => setImmediate(more));
      };
      more();
    });
    assert.deepEqual(await send(poolTo(t, origin)).outcome(), ['start', 'UND_ERR_HEADERS_OVERFLOW']);
    await waitUntil(() => sockets[0]?.destroyed === true, 'it stays open');
  });

  test('because nobody listens', async (t) => {
    assert.deepEqual(await send(poolTo(t, 'http://127.0.0.1:1')).outcome(), ['ECONNREFUSED']);
  });

  test('because its headers or path could be read as more than they are: nothing is sent', async (t) => {
    const { origin, sockets } = await serveRaw(t, () => {});
    const pool = poolTo(t, origin);
    assert.throws(() => send(pool, { headers: { 'x-key': 'a\r\nb: c' } }), { code: 'UND_ERR_INVALID_ARG' });
    assert.throws(() => send(pool, { path: '/ HTTP/1.1\r\nx: y' }), { code: 'UND_ERR_INVALID_ARG' });
    await wait(50);
    assert.equal(sockets.length, 0);
  });

  test('because its handler throws hears of it, and the line is closed', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write(whole('ok')));
    const fail = (): never => {
      throw new Error('no');
    };
    for (const [moment, outcome] of [
      ['head', ['start', 200, 'no']],
      ['data', ['start', 200, 'data', 'no']],
    ] as const) {
      assert.deepEqual(await send(poolTo(t, origin), {}, { [moment]: fail }).outcome(), outcome);
      await waitUntil(() => isClosed(sockets.at(-1)), 'it stays open');
    }
    assert.deepEqual(await send(poolTo(t, origin), {}, { start: fail }).outcome(), ['start', 'no']);
    const ended = send(poolTo(t, origin), {}, { end: fail });
    await ended.outcome();
    assert.deepEqual(ended.reported, ['start', 200, 'data', 'end', 'no']);
  });

  test('because everything is given up: those under way, those that wait, and those to come', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket, asked) => {
      if (asked === 0) socket.write(whole('ok'));
    });
    const pool = poolTo(t, origin);
    await send(pool).outcome();
    const running = send(pool);
    await wait(50);
    const calls = [running, send(pool)];
    await pool.destroy();
    for (const call of calls) assert.equal((await call.outcome()).at(-1), 'UND_ERR_DESTROYED');
    assert.throws(() => send(pool), { code: 'UND_ERR_DESTROYED' });
    await waitUntil(() => sockets.every(isClosed), 'a line stays open');
  });
});

describe('a call under way', () => {
  test('that is aborted closes its line at once, and hears of it once', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'));
    for (const moment of ['head', 'data'] as const) {
      const call = send(poolTo(t, origin), {}, { [moment]: () => call.controller?.abort(new Error('enough')) });
      await call.outcome();
      await waitUntil(() => isClosed(sockets.at(-1)), 'it stays open');
      call.controller?.abort(new Error('again'));
      assert.deepEqual(call.reported, moment === 'head' ? ['start', 200, 'enough'] : ['start', 200, 'data', 'enough']);
    }
  });

  test('that is aborted before it is written leaves the line to the next one', async (t) => {
    const { origin, sockets, received } = await serveRaw(t, (socket) => socket.write(whole('ok')));
    const pool = poolTo(t, origin);
    for (let time = 0; time < 2; time++) {
      const call = send(pool, { path: '/left' }, { start: () => call.controller?.abort(new Error('left')) });
      assert.deepEqual(await call.outcome(), ['start', 'left']);
    }
    assert.deepEqual(await send(pool).outcome(), WELL);
    assert.equal(sockets.length, 1);
    assert.doesNotMatch(received.join(), /left/u);
  });

  test('cannot be reached by the controller of the one before', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => setTimeout(() => socket.write(whole('ok')), 50));
    const pool = poolTo(t, origin);
    const first = send(pool);
    await first.outcome();
    const second = send(pool, {}, { start: () => setTimeout(() => first.controller?.abort(new Error('late')), 10) });
    assert.deepEqual(await second.outcome(), WELL);
    assert.deepEqual([first.reported, sockets.length], [WELL, 1]);
  });

  const FRAMES: Record<string, (body: string) => string> = {
    'with a length': (body) => whole(body),
    'in chunks': (body) =>
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    'until the end': (body) => `HTTP/1.1 200 OK\r\n\r\n${body}`,
  };
  for (const [name, frame] of Object.entries(FRAMES)) {
    for (const how of ['', ', then closed', ', then closed, with TLS']) {
      if (how === '' && name === 'until the end') continue;
      test(`that is paused hears nothing until it goes on: ${name}${how}`, async (t) => {
        const answer = (socket: Socket): void => {
          socket.write(frame('abc'));
          if (how !== '') socket.end();
        };
        const pool = how.endsWith('TLS')
          ? (await serveTls(t, answer)).pool
          : poolTo(t, (await serveRaw(t, answer)).origin);
        const pause = (call: RecordedCall): void => call.controller?.pause();
        const call = send(pool, {}, { head: pause, data: pause });
        for (const reported of [
          ['start', 200],
          ['start', 200, 'data'],
        ]) {
          await waitUntil(() => call.reported.length === reported.length, 'nothing comes');
          await wait(50);
          assert.deepEqual(call.reported, reported);
          call.controller?.resume();
        }
        assert.deepEqual(await call.outcome(), WELL);
        assert.equal(call.text, 'abc');
      });
    }
  }

  test('that is paused keeps what has come, whatever comes on other lines', async (t) => {
    const { origin } = await serveRaw(t, (socket, asked) => socket.write(whole(String(asked).repeat(20_000))));
    const pool = poolTo(t, origin);
    const paused = send(pool, {}, { head: ({ controller }) => controller?.pause() });
    await waitUntil(() => paused.headers !== undefined, 'nothing comes');
    assert.equal((await send(pool).outcome()).at(-1), 'end');
    paused.controller?.resume();
    assert.deepEqual(await paused.outcome(), WELL);
    assert.equal(paused.text, '0'.repeat(20_000));
  });

  test('that pauses and goes on at once, or goes on unasked, misses nothing', async (t) => {
    const { origin } = await serveRaw(t, (socket) => socket.write(FRAMES['in chunks']?.('abc') ?? ''));
    const blink = ({ controller }: RecordedCall): void => {
      controller?.resume();
      controller?.pause();
      controller?.resume();
    };
    const pool = poolTo(t, origin);
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await send(pool, {}, { head: blink, data: blink }).outcome(), WELL);
  });

  test('that pauses holds the other side back, and loses nothing', async (t) => {
    const body = randomBytes(40_000_000);
    const { origin, sockets } = await serveRaw(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    await checkHeldBack(poolTo(t, origin), body, () => sockets[0]);
  });
});

/** Pauses again and again in a large answer; the one who sends it must come to a stop. */
async function checkHeldBack(pool: ConnectionPool, body: Buffer, server: () => Socket | undefined): Promise<void> {
  let pauses = 0;
  const call = send(
    pool,
    {},
    {
      data({ controller }) {
        pauses++;
        if (pauses > 1 && pauses % 50 !== 0) return;
        controller?.pause();
        if (pauses > 1) setTimeout(() => controller?.resume(), 1);
      },
    },
  );
  await waitUntil(() => call.chunks.length > 0, 'nothing comes');
  await wait(300);
  const length = (): number => call.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  assert.equal(call.chunks.length, 1);
  assert.ok((server()?.writableLength ?? 0) > 0, 'all was sent to somebody who does not read');
  call.controller?.resume();
  assert.deepEqual(await call.outcome(), WELL);
  assert.equal(length(), body.length);
  assert.ok(Buffer.concat(call.chunks).equals(body));
}

// A key that both sides know spares the certificate.
const SHARED = { ciphers: 'PSK+HIGH', maxVersion: 'TLSv1.2' } as const;
const knowing = (psk: Buffer) => ({
  ...SHARED,
  pskCallback: () => ({ psk, identity: 'upstream' }),
  checkServerIdentity: () => undefined,
});

async function serveTls(t: TestContext, onAsked: (socket: Socket, asked: number) => void) {
  const key = randomBytes(32);
  const server = createTlsServer({ ...SHARED, ALPNProtocols: ['http/1.1'], pskCallback: () => key });
  const upstream = await serveRaw(t, onAsked, server);
  const origin = upstream.origin.replace('http:', 'https:');
  return { ...upstream, origin, pool: poolTo(t, origin, { tls: knowing(key) }) };
}

test('TLS: calls share a line, pauses hold the other side back, another key is refused', async (t) => {
  const body = randomBytes(40_000_000);
  const { origin, sockets, pool } = await serveTls(t, (socket, asked) => {
    if (asked < 2) socket.write(whole(`answer ${asked}`));
    else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`, () => socket.write(body));
  });
  for (let index = 0; index < 2; index++) {
    const call = send(pool);
    assert.deepEqual(await call.outcome(), WELL);
    assert.equal(call.text, `answer ${index}`);
  }
  await checkHeldBack(pool, body, () => sockets[0]);
  assert.equal(sockets.length, 1);
  const stranger = poolTo(t, origin, { tls: knowing(randomBytes(32)) });
  assert.match(String((await send(stranger).outcome()).at(-1)), /^(?:ERR_SSL|ECONNRESET|EPROTO)/u);
});
