import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { registerConsole } from './console-files.ts';

const SCRIPT = 'console.log(1);';
const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<base href="%BASE%"><meta name="style-nonce" content="%NONCE%">');
writeFileSync(join(folder, 'portal.html'), '<base href="%BASE%"><title>%NAME%</title><i>%COLOR%</i>');
writeFileSync(join(folder, 'built.txt'), 'not for readers');
writeFileSync(join(folder, 'icon.svg'), '<svg/>');
writeFileSync(join(folder, 'assets', 'index-abc.js'), SCRIPT);
writeFileSync(join(folder, 'assets', 'index-abc.js.gz'), gzipSync(SCRIPT));
after(() => rmSync(folder, { recursive: true }));

function makeApp(from = folder) {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof GatewayError ? error.status : 500).send('refused'),
  );
  registerConsole(app, { docsPrefix: '', brand: { name: `A & B's <b>`, color: '#0f766e' } }, from);
  return app;
}

test('every path that is no file is the page, with a fresh nonce and a base that fits its depth', async () => {
  const app = makeApp();
  const seen = new Set<string>();
  for (const [path, base] of [
    ['/console/', './'],
    ['/console/tokens', './'],
    ['/console/tokens/tok_1?x=/a/b', '../'],
    ['/console/models/a%2Fb/c', '../../'],
  ] as const) {
    const answer = await app.inject(path);
    assert.equal(answer.statusCode, 200);
    const [, href, nonce = ''] =
      /<base href="([^"]*)"><meta name="style-nonce" content="([^"]*)">/.exec(answer.body) ?? [];
    assert.equal(href, base, path);
    const policy = String(answer.headers['content-security-policy']);
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`));
    assert.ok(policy.includes("default-src 'none'") && policy.includes("script-src 'self';"), policy);
    assert.ok(!policy.includes('unsafe'));
    assert.equal(answer.headers['cache-control'], 'no-store');
    seen.add(nonce);
  }
  assert.equal(seen.size, 4);
});

test('files have their types, are compressed for those who take it, and hashed ones are kept for good', async () => {
  const app = makeApp();
  const plain = await app.inject('/console/assets/index-abc.js');
  assert.deepEqual([plain.body, plain.headers['content-encoding']], [SCRIPT, undefined]);
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['x-content-type-options'], 'nosniff');
  const packed = await app.inject({ url: '/console/assets/index-abc.js', headers: { 'accept-encoding': 'br, gzip' } });
  assert.equal(gunzipSync(packed.rawPayload).toString(), SCRIPT);
  assert.equal(packed.headers['vary'], 'accept-encoding');
  const icon = await app.inject('/console/icon.svg');
  assert.deepEqual([icon.headers['content-type'], icon.headers['cache-control']], ['image/svg+xml', 'no-cache']);
  const again = await app.inject({
    url: '/console/icon.svg',
    headers: { 'if-none-match': String(icon.headers['etag']) },
  });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});

test('no path leads out of the folder, and a lost asset is not answered with the page', async () => {
  const app = makeApp();
  for (const path of ['/console/built.txt', '/console/..%2Fpackage.json', '/console/%2e%2e/%2e%2e/etc/passwd']) {
    const answer = await app.inject(path);
    assert.ok(!/not for readers|tollgate|root:/.test(answer.body), `${path}: ${answer.body}`);
  }
  assert.equal((await app.inject('/console/assets/gone.js')).statusCode, 404);
});

test('the address without its slash, and the root, lead to the console', async () => {
  const app = makeApp();
  const console_ = await app.inject('/console');
  assert.deepEqual([console_.statusCode, console_.headers['location']], [302, 'console/']);
  assert.equal((await app.inject('/')).headers['location'], '/console/');
});

test('a gateway without a built console says so', async () => {
  const answer = await makeApp(join(folder, 'nowhere')).inject('/console/');
  assert.match(answer.body, /The console is not built/);
});

test("the portal is served with the console's files and the operator's name and colour as text (contract-2 10)", async () => {
  const app = makeApp();
  const { headers, body } = await app.inject('/portal/requests/req_1');
  assert.equal(body, '<base href="../"><title>A &#38; B&#39;s &#60;b&#62;</title><i>#0f766e</i>');
  assert.ok(String(headers['content-security-policy']).includes("default-src 'none'"));
  assert.equal((await app.inject('/portal/assets/index-abc.js')).body, SCRIPT);
  assert.equal((await app.inject('/portal')).headers['location'], 'portal/');
  for (const path of ['/portal/v1', '/portal/v1/nothing', '/portal/assets/gone.js'])
    assert.equal((await app.inject(path)).statusCode, 404, path);
});
