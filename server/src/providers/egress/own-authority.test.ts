// An upstream with a certificate of an authority of one's own, called directly and through a proxy: TLS reaches from end to
// end. The authority is read when a process starts, so each call is made by one of its own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startConnectProxy } from '../../testing/connect-proxy.ts';
import { makeCertificate } from '../../testing/self-signed.ts';

const run = promisify(execFile);
const client = new URL('../call-upstream.ts', import.meta.url).href;

const script = `
import { UpstreamClient } from ${JSON.stringify(client)};
const [port, proxy] = process.argv.slice(1);
const client = new UpstreamClient();
const limits = { connectMs: 20000, firstByteMs: 20000, idleMs: 20000 };
const request = { origin: 'https://localhost:' + port, path: '/', method: 'GET', headers: {}, body: null, limits };
if (proxy) request.proxy = proxy;
let text = '';
client.call(request, {
  onStart() {},
  onData(piece) { text += piece; },
  onEnd() { console.log(text); client.close(); },
  onFail(error) { console.log(error.errorClass, error.facts.cause?.code); client.close(); },
});`;

test('NODE_EXTRA_CA_CERTS adds an authority of one’s own, with a proxy and without (contract-2 9)', async (t) => {
  const { key, certificate } = makeCertificate('localhost');
  const server = createServer({ key, cert: certificate }, (request, response) =>
    response.end(`hello ${request.headers.host}`),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-authority-'));
  t.after(() => {
    server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'authority.pem');
  writeFileSync(file, certificate);
  const { port } = server.address() as AddressInfo;
  const proxy = await startConnectProxy(t, { [`localhost:${port}`]: port });
  const call = async (environment: Record<string, string>, through = ''): Promise<string> => {
    const args = ['--input-type=module', '-e', script, String(port), through];
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...environment } });
    return stdout.trim();
  };
  assert.equal(await call({ NODE_EXTRA_CA_CERTS: file }), `hello localhost:${port}`);
  assert.equal(await call({ NODE_EXTRA_CA_CERTS: file }, proxy.url), `hello localhost:${port}`);
  assert.deepEqual(proxy.asked, [`localhost:${port}`]);
  assert.match(await call({}), /^unreachable (?:DEPTH_ZERO_)?SELF_SIGNED/);
});
