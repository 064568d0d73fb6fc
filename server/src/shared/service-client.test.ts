import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { startConnectProxy } from '../testing/connect-proxy.ts';
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
  await assert.rejects(ask(client, 'https://bucket.example/key'));
  assert.deepEqual(proxy.asked, ['bucket.example:443']);
});
