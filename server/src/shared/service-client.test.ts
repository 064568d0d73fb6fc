import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startConnectProxy } from '../testing/connect-proxy.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { readText, ServiceClient } from './service-client.ts';

const GET = { method: 'GET', headers: {} };

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function ask(client: ServiceClient, url: string): Promise<string> {
  const { outgoing, answered } = client.begin(new URL(url), GET);
  outgoing.end();
  return readText(await answered);
}

test('a service is called through the proxy of its scheme (contract-2 9)', async (t) => {
  const service = await listen(
    t,
    createServer((_, response) => void response.end('from the service')),
  );
  const asked: string[] = [];
  const proxy = await listen(
    t,
    createServer((incoming, response) => {
      asked.push(incoming.url ?? '');
      request(incoming.url ?? '', (answer) => answer.pipe(response)).end();
    }),
  );
  const proxied = new ServiceClient('the service', service, () => proxy);
  const direct = new ServiceClient('the service', service, () => undefined);
  t.after(() => (proxied.close(), direct.close()));
  assert.equal(await ask(proxied, `${service}/a`), 'from the service');
  assert.deepEqual(asked, [`${service}/a`]);
  assert.equal(await ask(direct, `${service}/b`), 'from the service');
  assert.equal(asked.length, 1);
});

test('one with TLS is asked for by a tunnel, and a proxy that refuses is an error', async (t) => {
  const proxy = await startConnectProxy(t, {});
  const client = new ServiceClient('the bucket', 'https://bucket.example', () => proxy.url);
  t.after(() => client.close());
  await assert.rejects(ask(client, 'https://bucket.example/key'), { code: 'ERR_PROXY_TUNNEL' });
  assert.deepEqual(proxy.asked, ['bucket.example:443']);
});

test('a proxy that says nothing costs no more than the idle time, and no stop waits for it', async (t) => {
  const sockets = new Set<Socket>();
  const proxy = createTcpServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  const hasty = new ServiceClient('the bucket', 'https://bucket.example', () => url, 100);
  t.after(() => hasty.close());
  await assert.rejects(ask(hasty, 'https://bucket.example/key'), { code: 'ERR_PROXY_TUNNEL' });
  const patient = new ServiceClient('the bucket', 'https://bucket.example', () => url);
  const asked = assert.rejects(ask(patient, 'https://bucket.example/key'), /no longer needed/);
  await waitUntil(() => sockets.size === 2, 'the proxy is not asked');
  patient.close();
  await asked;
});
