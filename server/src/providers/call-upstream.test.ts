import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { waitUntil } from '../testing/wait-until.ts';
import { UpstreamClient } from './call-upstream.ts';
import type { CallLimits, UpstreamHeaders, UpstreamSink } from './upstream-request.ts';
import { UpstreamError } from './upstream-error.ts';

const LIMITS: CallLimits = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 };

/** Records the events of a call. */
class Listener implements UpstreamSink {
  readonly heads: { status: number; headers: UpstreamHeaders }[] = [];
  readonly chunks: Buffer[] = [];
  readonly ends: (UpstreamError | 'end')[] = [];
  readonly #over = Promise.withResolvers<void>();
  onChunk: ((chunk: Buffer) => void) | undefined;

  onStart(status: number, headers: UpstreamHeaders): void {
    this.heads.push({ status, headers });
  }
  onData(chunk: Buffer): void {
    assert.equal(this.ends.length, 0, 'data after the end');
    this.chunks.push(Buffer.from(chunk));
    this.onChunk?.(chunk);
  }
  onEnd(): void {
    this.ends.push('end');
    this.#over.resolve();
  }
  onFail(error: UpstreamError): void {
    this.ends.push(error);
    this.#over.resolve();
  }
  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
  /** How it ended: one ending, also a while later. */
  async ending(): Promise<string> {
    await this.#over.promise;
    await wait(30);
    assert.equal(this.ends.length, 1);
    const [end] = this.ends;
    return end instanceof UpstreamError ? end.errorClass : String(end);
  }
}

async function open(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (t: TestContext, listener: RequestListener): Promise<number> => open(t, createServer(listener));
const serveRaw = (t: TestContext, answer: (socket: Socket) => void): Promise<number> =>
  open(
    t,
    createTcpServer((socket) => socket.once('data', () => answer(socket))),
  );

type CallOptions = { limits?: Partial<CallLimits>; headers?: Record<string, string> };

function callTo(t: TestContext, port: number, { limits, headers = {} }: CallOptions = {}) {
  const client = new UpstreamClient();
  t.after(() => client.close());
  const sink = new Listener();
  const request = { origin: `http://127.0.0.1:${port}`, path: '/v1/x?y=1', method: 'POST' as const, headers };
  const call = client.call({ ...request, body: Buffer.from('{"a":1}'), limits: { ...LIMITS, ...limits } }, sink);
  return { call, sink };
}

describe('a call that goes well', () => {
  test('sends method, path, headers and body as given, and hands over status, headers and bytes', async (t) => {
    const port = await serve(t, (request, response) => {
      request.on('data', (body: Buffer) => {
        response.writeHead(201, { 'x-answer': 'yes' });
        response.end(`${request.method} ${request.url} ${String(request.headers['x-ask'])} ${body.toString()}`);
      });
    });
    const { sink } = callTo(t, port, { headers: { 'x-ask': 'please' } });
    assert.equal(await sink.ending(), 'end');
    assert.equal(sink.text, 'POST /v1/x?y=1 please {"a":1}');
    assert.deepEqual([sink.heads.length, sink.heads[0]?.status, sink.heads[0]?.headers['x-answer']], [1, 201, 'yes']);
  });

  test('redirects are not followed, errors are answers', async (t) => {
    for (const status of [302, 404, 500]) {
      const port = await serve(t, (_request, response) => response.writeHead(status, { location: '/' }).end('body'));
      const { sink } = callTo(t, port);
      assert.equal(await sink.ending(), 'end');
      assert.deepEqual([sink.heads[0]?.status, sink.text], [status, 'body']);
    }
  });

  test('interim answers are passed over', async (t) => {
    const port = await serve(t, (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeProcessing();
      response.end('real');
    });
    const { sink } = callTo(t, port);
    assert.equal(await sink.ending(), 'end');
    assert.deepEqual([sink.heads.map(({ status }) => status), sink.text], [[200], 'real']);
  });

  for (const bytes of [7, 2 ** 21])
    for (const head of ['', 'connection: upgrade\r\nupgrade: websocket\r\n'])
      test(`an answer that changes the protocol is a failure at once (contract 4): ${bytes} bytes, ${head.length}`, async (t) => {
        const port = await serveRaw(t, (socket) => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head}\r\n`));
        const client = new UpstreamClient();
        t.after(() => client.close());
        const sink = new Listener();
        const to = {
          origin: `http://127.0.0.1:${port}`,
          path: '/',
          method: 'POST' as const,
          headers: {},
          limits: LIMITS,
        };
        const from = performance.now();
        client.call({ ...to, body: Buffer.alloc(bytes, 32) }, sink);
        assert.match(await sink.ending(), /^(?:malformed|unreachable)$/);
        assert.ok(performance.now() - from < LIMITS.firstByteMs, 'long before the time for a first byte is over');
        assert.deepEqual(sink.heads, []);
      });

  test('one connection carries call after call', async (t) => {
    let connections = 0;
    const server = createServer((_request, response) => response.end('ok')).on('connection', () => connections++);
    const port = await open(t, server);
    const client = new UpstreamClient();
    t.after(() => client.close());
    for (let index = 0; index < 3; index++) {
      const sink = new Listener();
      const request = { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' as const, headers: {} };
      client.call({ ...request, body: null, limits: LIMITS }, sink);
      assert.equal(await sink.ending(), 'end');
    }
    assert.equal(connections, 1);
  });
});

describe('a call that fails', () => {
  test('nobody listens: unreachable, without a start', async (t) => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { sink } = callTo(t, port);
    assert.equal(await sink.ending(), 'unreachable');
    assert.equal(sink.heads.length, 0);
  });

  test('a connection that never comes about: timed out by the connect limit', async (t) => {
    const code = `const { parentPort } = require('node:worker_threads');
      const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        parentPort.postMessage(server.address().port);
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)); // accepts nothing from here
      });`;
    const worker = new Worker(code, { eval: true });
    t.after(() => worker.terminate());
    const [port] = (await once(worker, 'message')) as [number];
    await wait(100);
    const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    t.after(() => fillers.forEach((socket) => socket.destroy()));
    await wait(200);
    if (fillers.every((socket) => !socket.connecting)) return t.skip('the queue of connections has no end here');
    const { sink } = callTo(t, port, { limits: { connectMs: 300, firstByteMs: 3_600_000 } });
    assert.equal(await sink.ending(), 'timed-out');
    assert.equal(sink.heads.length, 0);
  });

  test('no head within the limit: timed out, and the connection is given up', async (t) => {
    const closed = Promise.withResolvers<void>();
    const port = await serve(t, (request) => request.socket.on('close', () => closed.resolve()));
    const { sink } = callTo(t, port, { limits: { firstByteMs: 80 } });
    assert.equal(await sink.ending(), 'timed-out');
    assert.equal(sink.heads.length, 0);
    await closed.promise;
  });

  test('silence inside the answer: timed out; bytes that keep coming are not silence', async (t) => {
    const port = await serve(t, (_request, response) => {
      let left = 6;
      const timer = setInterval(() => (left-- > 0 ? response.write('x') : clearInterval(timer)), 200);
    });
    const { sink } = callTo(t, port, { limits: { idleMs: 1_000 } }); // less than they take together
    assert.equal(await sink.ending(), 'timed-out');
    assert.equal(sink.text, 'xxxxxx');
  });

  test('a reset before and after the head: unreachable', async (t) => {
    for (const head of ['', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n']) {
      const port = await serveRaw(t, (socket) =>
        socket.write(head, () => setTimeout(() => socket.resetAndDestroy(), 30)),
      );
      const { sink } = callTo(t, port);
      assert.equal(await sink.ending(), 'unreachable');
      assert.equal(sink.text, head === '' ? '' : 'abc');
    }
  });

  test('an answer shorter than announced, or chunked without its end, has not ended well', async (t) => {
    for (const head of ['content-length: 10\r\n\r\nabc', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n']) {
      const port = await serveRaw(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}`));
      const { sink } = callTo(t, port);
      assert.match(await sink.ending(), /^(?:unreachable|malformed)$/u);
    }
  });

  test('something that is not HTTP: malformed', async (t) => {
    const port = await serveRaw(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    assert.equal(await callTo(t, port).sink.ending(), 'malformed');
  });

  test('headers that cannot be sent fail the call, and nothing is thrown', async (t) => {
    const port = await serve(t, (_request, response) => response.end('ok'));
    assert.notEqual(await callTo(t, port, { headers: { 'x-key': 'a\r\nb: c' } }).sink.ending(), 'end');
  });
});

describe('a call under way', () => {
  const reason = new UpstreamError('aborted', 'the client left');

  test('abort at once, before the head, and inside the answer: heard once, the upstream sees the connection close', async (t) => {
    for (const moment of ['at once', 'before the head', 'inside'] as const) {
      const closed = Promise.withResolvers<void>();
      const port = await serve(t, (request, response) => {
        request.socket.on('close', () => closed.resolve());
        if (moment === 'inside') response.write('x');
      });
      const { call, sink } = callTo(t, port);
      sink.onChunk = () => call.abort(reason);
      if (moment === 'at once') call.abort(reason);
      if (moment === 'before the head') setTimeout(() => call.abort(reason), 50);
      assert.equal(await sink.ending(), 'aborted', moment);
      assert.equal(sink.ends[0], reason);
      call.abort(new UpstreamError('timed-out', 'again'));
      if (moment !== 'at once') await closed.promise;
    }
  });

  test('a paused call hands over little more, does not time out, and goes on where it stopped', async (t) => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'abcdefg');
    const port = await serve(t, (_request, response) => response.end(body));
    const { call, sink } = callTo(t, port, { limits: { idleMs: 100 } });
    sink.onChunk = () => {
      sink.onChunk = undefined;
      call.pause();
    };
    await waitUntil(() => sink.chunks.length > 0, 'nothing comes');
    await wait(300);
    assert.equal(sink.ends.length, 0);
    assert.ok(Buffer.concat(sink.chunks).length < body.length / 4);
    call.resume();
    assert.equal(await sink.ending(), 'end');
    assert.ok(Buffer.concat(sink.chunks).equals(body));
  });

  test('a call that is paused by its last byte has ended well, though the upstream hangs up meanwhile', async (t) => {
    const port = await serveRaw(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n01234');
      setTimeout(() => socket.end('56789'), 20);
    });
    const { call, sink } = callTo(t, port);
    sink.onChunk = () => {
      call.pause();
      setTimeout(() => call.resume(), 100);
    };
    assert.equal(await sink.ending(), 'end');
    assert.equal(sink.text, '0123456789');
  });
});

describe('a call that is given up', () => {
  test('was sent only if its request had begun to leave (promise M-07)', async (t) => {
    let asked = 0;
    const port = await serve(t, () => asked++);
    const early = callTo(t, port);
    early.call.abort(new UpstreamError('aborted', 'before there was a connection'));
    assert.equal(await early.sink.ending(), 'aborted');
    assert.deepEqual([early.call.isSent, asked], [false, 0]);
    const late = callTo(t, port);
    await waitUntil(() => asked === 1, 'nobody was asked');
    late.call.abort(new UpstreamError('aborted', 'while it was waited for'));
    assert.equal(late.call.isSent, true);
  });

  test('does not count as sent when it was answered with an error (promise M-08)', async (t) => {
    const port = await serve(t, (_, response) => response.writeHead(500).write('{'));
    const { call, sink } = callTo(t, port);
    await waitUntil(() => sink.heads.length === 1, 'there was no answer');
    call.abort(new UpstreamError('aborted', 'before its end'));
    assert.equal(call.isSent, false);
  });
});
