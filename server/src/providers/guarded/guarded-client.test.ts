import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { AddressRefused, GuardedClient, type GuardedCall, type Lookup } from './guarded-client.ts';
import { isPublicAddress } from './public-address.ts';

const limits = { connectMs: 1_000, firstByteMs: 2_000, idleMs: 2_000 };

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(t: TestContext, privateHosts: string[] = [], lookup?: Lookup): GuardedClient {
  const client = new GuardedClient({ privateHosts, ...(lookup !== undefined && { lookup }) });
  t.after(() => client.close());
  return client;
}

const call = (url: string, more: Partial<GuardedCall> = {}): GuardedCall => ({
  url,
  method: 'GET',
  headers: {},
  redirects: 3,
  limits,
  ...more,
});

async function textOf(client: GuardedClient, request: GuardedCall): Promise<string> {
  const { status, body } = await client.call(request);
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return `${status} ${text}`;
}

test('only public addresses are public (promise A-10)', () => {
  const own = [
    '127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1',
    '192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255',
    ':: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 fe80::1 fc00::1 fd12::1 ff02::1',
    '2001:db8::1 2001::1 2002:7f00:1::1 2002:808:808::1 100::1 3fff::1',
  ];
  for (const address of own.join(' ').split(' ')) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::200e'])
    assert.equal(isPublicAddress(address), true, address);
  for (const text of ['', 'localhost', '8.8.8', 'fe80::1%eth0']) assert.equal(isPublicAddress(text), false, text);
});

test('no spelling of a private address is called', async (t) => {
  const seen: string[] = [];
  const base = await serve(t, (request, response) => {
    seen.push(request.url ?? '');
    response.end('secret');
  });
  const { port } = new URL(base);
  const client = clientOf(t);
  const spellings = [
    '127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 localhost LOCALHOST',
    '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [64:ff9b::7f00:1] 127.0.0.1.',
    '169.254.169.254 [fe80::1] [fd00::1] 10.0.0.1 224.0.0.1 １２７.0.0.1',
  ];
  for (const host of spellings.join(' ').split(' '))
    await assert.rejects(client.call(call(`http://${host}:${port}/x`)), AddressRefused, host);
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://x',
    'http://user:pass@example.com/',
    'x',
    '',
  ])
    await assert.rejects(client.call(call(url)), AddressRefused, url);
  assert.deepEqual(seen, []);
});

test('a name is judged by the addresses that the connection goes to, each time', async (t) => {
  const seen: string[] = [];
  const base = await serve(t, (request, response) => {
    seen.push(request.headers.host ?? '');
    response.end('secret');
  });
  const { port } = new URL(base);
  let asked = 0;
  // Public at first sight, private when it matters: what was looked at is what is connected to.
  const rebinding: Lookup = (_name, callback) => {
    asked++;
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  await assert.rejects(clientOf(t, [], rebinding).call(call(`http://rebind.example:${port}/`)), AddressRefused);
  const mixed: Lookup = (_name, callback) =>
    callback(null, [
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  await assert.rejects(clientOf(t, [], mixed).call(call(`http://mixed.example:${port}/`)), AddressRefused);
  assert.deepEqual([asked, seen], [1, []]);
});

test("hosts that the operator named, and the channel's own host and port, may be private", async (t) => {
  const base = await serve(t, (_request, response) => response.end('video'));
  const { port, host } = new URL(base);
  assert.equal(await textOf(clientOf(t, ['127.0.0.1']), call(base)), '200 video');
  assert.equal(await textOf(clientOf(t, [host]), call(base)), '200 video');
  assert.equal(await textOf(clientOf(t, [`localhost:${port}`]), call(`http://localhost:${port}/`)), '200 video');
  const own = { baseUrl: `${base}/api/v3` };
  assert.equal(await textOf(clientOf(t), call(base, { own })), '200 video');
  await assert.rejects(clientOf(t, ['127.0.0.1:1']).call(call(base)), AddressRefused);
  const other = { baseUrl: `http://127.0.0.1:${Number(port) - 1}` };
  await assert.rejects(clientOf(t).call(call(base, { own: other })), AddressRefused);
});

test('redirects are followed three times, and each is guarded like the first address', async (t) => {
  let target = '';
  const requests: IncomingMessage[] = [];
  const base = await serve(t, (request, response) => {
    requests.push(request);
    const left = Number(/\/hop\/(\d+)/.exec(request.url ?? '')?.[1] ?? -1);
    if (left === -1) return void response.end('there');
    response.writeHead(302, { location: left === 0 ? target : `/hop/${left - 1}` }).end();
  });
  const own = { baseUrl: base, sign: () => ({ authorization: 'Bearer upstream' }) };
  target = '/end';
  const client = clientOf(t);
  assert.equal(await textOf(client, call(`${base}/hop/2`, { own })), '200 there');
  await assert.rejects(client.call(call(`${base}/hop/3`, { own })), AddressRefused);
  for (target of [
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'file:///etc/passwd',
    'http://localhost:1/',
  ])
    await assert.rejects(client.call(call(`${base}/hop/0`, { own })), AddressRefused, target);
  assert.equal(await textOf(client, call(`${base}/hop/0`, { own, redirects: 0 })), '302 ');
});

test("credentials go to the channel's own host and nowhere else", async (t) => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.end('video');
  });
  const base = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: elsewhere }).end();
  });
  const own = { baseUrl: base, sign: () => ({ authorization: 'Bearer upstream' }) };
  const client = clientOf(t, [new URL(elsewhere).host]);
  await textOf(client, call(`${base}/video`, { own }));
  await textOf(client, call(elsewhere, { own }));
  assert.deepEqual(seen, ['Bearer upstream', undefined, undefined]);
});

test('an answer that changes the protocol is a failure at once (contract 4)', async (t) => {
  const server = createTcpServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const slow = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 };
  const called = clientOf(t, ['127.0.0.1']).call(call(`http://127.0.0.1:${port}/`, { limits: slow }));
  await assert.rejects(called, { name: 'UpstreamError', errorClass: 'malformed' });
});
