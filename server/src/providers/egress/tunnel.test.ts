// Calls through a real proxy, of both clients.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startConnectProxy } from '../../testing/connect-proxy.ts';
import { UpstreamClient } from '../call-upstream.ts';
import type { UpstreamRequest } from '../upstream-request.ts';
import { AddressRefused, GuardedClient, type Lookup } from '../guarded/guarded-client.ts';
import { cannotConnect, UpstreamError } from '../upstream-error.ts';
import { chooseProxies } from './proxies.ts';

const LIMITS = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000 };

async function startUpstream(t: TestContext): Promise<number> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => response.end(`${request.headers.host} ${Buffer.concat(pieces).length}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

function ask(client: UpstreamClient, request: Partial<UpstreamRequest>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    client.call(
      {
        origin: 'http://upstream.test',
        path: '/',
        method: 'POST',
        headers: {},
        body: null,
        limits: LIMITS,
        ...request,
      },
      { onStart: () => {}, onData: (piece) => (text += piece.toString()), onEnd: () => resolve(text), onFail: reject },
    );
  });
}

function makeClient(t: TestContext, proxy: string | undefined): UpstreamClient {
  const client = new UpstreamClient({ chooseProxy: chooseProxies({ https: undefined, http: proxy, none: undefined }) });
  t.after(() => client.close());
  return client;
}

test('small and large requests go through the proxy of the environment by CONNECT (contract-2 9)', async (t) => {
  const port = await startUpstream(t);
  const proxy = await startConnectProxy(t, { 'upstream.test:80': port });
  const client = makeClient(t, proxy.url);
  assert.equal(await ask(client, { body: Buffer.from('{}') }), 'upstream.test 2');
  assert.equal(await ask(client, { body: Buffer.alloc(3_000_000) }), 'upstream.test 3000000');
  assert.equal(await ask(client, { method: 'GET' }), 'upstream.test 0');
  assert.deepEqual([...new Set(proxy.asked)], ['upstream.test:80']);
});

test('a channel has its own proxy, with its credentials, and reaches this machine by it too (contract-2 9)', async (t) => {
  const port = await startUpstream(t);
  const proxy = await startConnectProxy(t, { [`127.0.0.1:${port}`]: port });
  const client = makeClient(t, undefined);
  const own = proxy.url.replace('http://', 'http://user:p%40ss@');
  assert.equal(await ask(client, { origin: `http://127.0.0.1:${port}`, proxy: own }), `127.0.0.1:${port} 0`);
  assert.deepEqual(proxy.credentials, [`Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
});

test('a proxy that refuses, or is not there, is an upstream that cannot be connected to', async (t) => {
  const proxy = await startConnectProxy(t, {});
  for (const url of [proxy.url, 'http://127.0.0.1:1']) {
    const error = await ask(makeClient(t, url), {}).catch((failure: unknown) => failure);
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.errorClass, cannotConnect(error)], ['unreachable', true]);
  }
});

test('a proxy that never answers costs no more than the time to connect', async (t) => {
  const server = createServer().on('connect', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error = await ask(makeClient(t, url), { limits: { ...LIMITS, connectMs: 50 } }).catch((one: unknown) => one);
  assert.ok(error instanceof UpstreamError);
  assert.equal(error.errorClass, 'timed-out');
});

function makeGuarded(t: TestContext, proxy: string, address: string, privateHosts: string[] = []): GuardedClient {
  const lookup: Lookup = (_name, callback) => callback(null, [{ address, family: 4 }]);
  const chooseProxy = chooseProxies({ https: undefined, http: proxy, none: undefined });
  const client = new GuardedClient({ privateHosts, lookup, chooseProxy });
  t.after(() => client.close());
  return client;
}

const link = { url: 'http://files.test/v.mp4', method: 'GET', headers: {}, redirects: 0, limits: LIMITS } as const;

test('behind a proxy links still lead to public addresses only: the proxy is asked for the address, not for the name', async (t) => {
  const port = await startUpstream(t);
  const proxy = await startConnectProxy(t, { '93.184.216.34:80': port, 'files.test:80': port });
  const { status, body } = await makeGuarded(t, proxy.url, '93.184.216.34').call(link);
  let text = '';
  for await (const piece of body) text += String(piece);
  assert.deepEqual([status, text, proxy.asked], [200, 'files.test 0', ['93.184.216.34:80']]);
  await assert.rejects(makeGuarded(t, proxy.url, '169.254.169.254').call(link), AddressRefused);
  await assert.rejects(
    makeGuarded(t, proxy.url, '93.184.216.34').call({ ...link, url: 'http://10.0.0.1/x' }),
    AddressRefused,
  );
  assert.equal(proxy.asked.length, 1);
});

test('a host that the operator trusts is left to the proxy by its name', async (t) => {
  const port = await startUpstream(t);
  const proxy = await startConnectProxy(t, { 'files.test:80': port });
  const { status, body } = await makeGuarded(t, proxy.url, '10.0.0.1', ['files.test']).call(link);
  body.resume();
  assert.deepEqual([status, proxy.asked], [200, ['files.test:80']]);
});
