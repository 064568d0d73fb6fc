// WebSockets to a real upstream: through proxies, with a token that is renewed, refused as every call is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import { readComplaint } from '../protocols/openai-chat/error.ts';
import { startConnectProxy } from '../testing/connect-proxy.ts';
import { UpstreamClient } from './call-upstream.ts';
import { chooseProxies } from './egress/proxies.ts';
import { cannotConnect, UpstreamError } from './upstream-error.ts';
import type { UpstreamRequest } from './upstream-request.ts';

const LIMITS = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000 };

async function startUpstream(t: TestContext, refuse: { status: number; until: number } = { status: 0, until: 0 }) {
  const sockets = new WebSocketServer({ noServer: true });
  const seen: string[] = [];
  const server = createServer().on('upgrade', (request, socket, head) => {
    seen.push(`${request.headers.host} ${request.url} ${request.headers.authorization}`);
    if (seen.length <= refuse.until) {
      const body = '{"error":{"message":"No.","code":"some_code"}}';
      socket.end(`HTTP/1.1 ${refuse.status} No\r\nretry-after: 7\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => opened.send('hello'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close().closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

function open(client: UpstreamClient, request: Partial<UpstreamRequest>, signal = new AbortController().signal) {
  const whole: UpstreamRequest = {
    origin: 'http://upstream.test',
    path: '/v1/realtime?model=m',
    method: 'GET',
    headers: { authorization: 'Bearer key' },
    body: null,
    limits: LIMITS,
    ...request,
  };
  return client.openSocket(whole, { maxPayload: 1024, signal, readComplaint });
}

test('it opens directly and through proxies, and nothing is lost before somebody listens (contract-2 9)', async (t) => {
  const { port, seen } = await startUpstream(t);
  const proxy = await startConnectProxy(t, { 'upstream.test:80': port });
  const direct = await open(new UpstreamClient(), { origin: `http://127.0.0.1:${port}` });
  const chooseProxy = chooseProxies({ https: undefined, http: proxy.url, none: undefined });
  const through = await open(new UpstreamClient({ chooseProxy }), {});
  for (const { socket } of [direct, through]) {
    const came = once(socket, 'message');
    socket.resume();
    assert.equal(String((await came)[0]), 'hello');
    socket.terminate();
  }
  assert.deepEqual(seen, [
    `127.0.0.1:${port} /v1/realtime?model=m Bearer key`,
    'upstream.test /v1/realtime?model=m Bearer key',
  ]);
  assert.deepEqual(proxy.asked, ['upstream.test:80']);
});

test('a refusal has the class, code and wait of any other call; a token is renewed once', async (t) => {
  const limited = await startUpstream(t, { status: 429, until: 1 });
  const failure = await open(new UpstreamClient(), { origin: `http://127.0.0.1:${limited.port}` }).catch(
    (one: unknown) => one,
  );
  assert.ok(failure instanceof UpstreamError);
  const { errorClass, facts } = failure;
  assert.deepEqual([errorClass, facts.retryAfter, facts.upstreamCode], ['limited', 7, 'some_code']);
  const renewing = await startUpstream(t, { status: 401, until: 1 });
  const origin = `http://127.0.0.1:${renewing.port}`;
  const renewed = {
    origin,
    path: '/',
    method: 'GET',
    headers: { authorization: 'Bearer new' },
    body: null,
    limits: LIMITS,
  } as const;
  const { socket } = await open(new UpstreamClient(), { origin, renew: () => ({ ...renewed }) });
  socket.terminate();
  assert.deepEqual(
    renewing.seen.map((line) => line.split(' ').at(-1)),
    ['key', 'new'],
  );
});

test('nobody there, nobody who answers, and a client that leaves', async (t) => {
  const gone = await open(new UpstreamClient(), { origin: 'http://127.0.0.1:1' }).catch((one: unknown) => one);
  assert.ok(gone instanceof UpstreamError && cannotConnect(gone));
  const silent = createServer().on('upgrade', (_request, socket) => {
    t.after(() => socket.destroy());
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const slow = await open(new UpstreamClient(), {
    origin,
    limits: { ...LIMITS, connectMs: 20, firstByteMs: 30 },
  }).catch((one: unknown) => one);
  assert.ok(slow instanceof UpstreamError && slow.errorClass === 'timed-out');
  const left = new AbortController();
  const leaving = open(new UpstreamClient(), { origin }, left.signal).catch((one: unknown) => one);
  setTimeout(() => left.abort(), 20);
  const aborted = await leaving;
  assert.ok(aborted instanceof UpstreamError && aborted.errorClass === 'aborted');
});
