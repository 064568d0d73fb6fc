import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { waitUntil } from '../../testing/wait-until.ts';
import { GET, isClosed, poolTo, type RecordedCall, send, serveRaw, WELL, whole } from '../../testing/recorded-call.ts';
import type { SmallRequest } from './request-head.ts';

describe('a line', () => {
  test('carries call after call, and several calls at once have one each', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket, asked) => socket.write(whole(`answer ${asked}`)));
    const pool = poolTo(t, origin);
    for (let index = 0; index < 3; index++) {
      const call = send(pool);
      assert.deepEqual(await call.outcome(), WELL);
      assert.equal(call.text, `answer ${index}`);
    }
    assert.equal(sockets.length, 1);
    const calls = [send(pool), send(pool), send(pool)];
    for (const call of calls) assert.deepEqual(await call.outcome(), WELL);
    assert.deepEqual(calls.map(({ text }) => text).sort(), ['answer 3', 'answer 4', 'answer 5']);
    assert.equal(sockets.length, 3);
  });

  test('is used again by a call that is made while the last one ends', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write(whole('ok')));
    const pool = poolTo(t, origin);
    const next = Promise.withResolvers<RecordedCall>();
    send(pool, {}, { end: () => next.resolve(send(pool)) });
    assert.deepEqual(await (await next.promise).outcome(), WELL);
    assert.equal(sockets.length, 1);
  });

  test('writes head and body together, also a large one', async (t) => {
    const { origin, received } = await serveRaw(t, (socket) => setTimeout(() => socket.write(whole('ok')), 50));
    const pool = poolTo(t, origin);
    for (const length of [7, 100_000]) {
      const call = send(pool, { method: 'POST', body: Buffer.alloc(length, 'x'), headers: { 'x-a': '\xe9' } });
      assert.deepEqual(await call.outcome(), WELL);
      assert.ok(received[0]?.endsWith(`\r\nx-a: \xe9\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`));
    }
  });

  const LAST: Record<string, { answer: string; more?: Partial<SmallRequest>; end?: boolean }> = {
    'an answer that says so': { answer: whole('ok', 'connection: close\r\n') },
    'an answer of the old kind': { answer: whole('ok', 'connection: keep-alive\r\n').replace('/1.1', '/1.0') },
    'bytes behind the answer': { answer: `${whole('ok')}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison` },
    'an answer until the end': { answer: 'HTTP/1.1 200 OK\r\n\r\nok', end: true },
    'a server that keeps it for a moment only': { answer: whole('ok', 'keep-alive: timeout=2\r\n') },
    'a body that none expects': { answer: whole('ok'), more: { method: 'DELETE', body: Buffer.from('x') } },
  };
  for (const [name, { answer, more, end = false }] of Object.entries(LAST)) {
    test(`is not used again after ${name}`, async (t) => {
      const { origin, sockets } = await serveRaw(t, (socket) => {
        socket.write(answer);
        if (end) socket.end();
      });
      const pool = poolTo(t, origin, { keepAliveMs: 600_000 });
      for (let index = 1; index <= 3; index++) {
        const call = send(pool, more);
        assert.deepEqual(await call.outcome(), WELL);
        assert.equal(call.text, 'ok');
        assert.equal(sockets.length, index);
      }
      await waitUntil(() => sockets.every(isClosed), 'a line stays open');
    });
  }

  test('that the other side closes while it is free is forgotten without a word', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write(whole('ok')));
    const pool = poolTo(t, origin);
    for (const close of ['end', 'resetAndDestroy'] as const) {
      assert.deepEqual(await send(pool).outcome(), WELL);
      sockets.at(-1)?.[close]();
      await wait(50);
    }
    assert.deepEqual(await send(pool).outcome(), WELL);
    assert.equal(sockets.length, 3);
  });

  test('on which bytes come while it is free is closed', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket, asked) => socket.write(whole(`answer ${asked}`)));
    const pool = poolTo(t, origin);
    await send(pool).outcome();
    sockets[0]?.write(whole('poison'));
    await waitUntil(() => isClosed(sockets[0]), 'it stays open');
    const call = send(pool);
    assert.deepEqual(await call.outcome(), WELL);
    assert.equal(call.text, 'answer 1');
  });

  test('is not trusted before what has come on it meanwhile is read', async (t) => {
    const code = `const { parentPort } = require('node:worker_threads');
      const poison = ${JSON.stringify(whole('poison'))};
      let asked = 0;
      const server = require('node:net').createServer((socket) => socket.on('error', () => {}).on('data', () => {
        socket.write(poison.replace('poison', 'answer'));
        if (asked++ === 0) setTimeout(() => socket.write(poison), 50);
      })).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
    const worker = new Worker(code, { eval: true });
    t.after(() => worker.terminate());
    const [port] = (await once(worker, 'message')) as [number];
    const pool = poolTo(t, `http://127.0.0.1:${port}`);
    await send(pool).outcome();
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); // the bytes come while nobody can look
    const call = send(pool);
    assert.deepEqual(await call.outcome(), WELL);
    assert.equal(call.text, 'answer');
  });

  test('is closed when it was free for long enough, and not used from that moment on', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) => socket.write(whole('ok')));
    const pool = poolTo(t, origin, { keepAliveMs: 40 });
    await send(pool).outcome();
    await wait(60);
    await send(pool).outcome();
    assert.equal(sockets.length, 2);
    await waitUntil(() => sockets.every(isClosed), 'a line stays open');
  });

  test('is kept for as long as the other side says, less a margin', async (t) => {
    const { origin, sockets } = await serveRaw(t, (socket) =>
      socket.write(whole('ok', 'Keep-Alive: timeout=3, max=9\r\n')),
    );
    const pool = poolTo(t, origin, { keepAliveMs: 1 });
    for (const [pauseMs, connections] of [
      [20, 1],
      [1_300, 1],
      [0, 2],
    ] as const) {
      await send(pool).outcome();
      assert.equal(sockets.length, connections);
      await wait(pauseMs);
    }
  });

  test('keeps the process alive while it is used, and not while it is free', async (t) => {
    const answer = whole('ok', 'keep-alive: timeout=600\r\n');
    const { origin, sockets } = await serveRaw(t, (socket) => setTimeout(() => socket.write(answer), 200));
    const code = `import { ConnectionPool } from ${JSON.stringify(new URL('./connection-pool.ts', import.meta.url).href)};
      const pool = new ConnectionPool('${origin}', { connectMs: 300_000, keepAliveMs: 300_000 });
      const nothing = () => {};
      let calls = 0;
      const send = () => pool.dispatch(${JSON.stringify(GET)}, {
        onRequestStart: nothing, onResponseStart: nothing, onResponseData: nothing, onResponseError: nothing,
        onResponseEnd() { console.log('ended'); if (++calls < 2) send(); } });
      send();`;
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    assert.equal(stdout, 'ended\nended\n');
    assert.equal(sockets.length, 1);
  });
});
