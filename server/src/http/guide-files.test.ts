import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { registerGuide } from './guide-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'));
mkdirSync(join(folder, 'clients'));
writeFileSync(join(folder, 'index.html'), '<h1>Guide</h1>');
writeFileSync(join(folder, 'index.html.gz'), gzipSync('<h1>Guide</h1>'));
writeFileSync(join(folder, 'clients', 'index.html'), '<h1>Clients</h1>');
writeFileSync(join(folder, 'search.json'), '[]');
writeFileSync(join(folder, 'built.txt'), 'not for readers');
after(() => rmSync(folder, { recursive: true }));

const app = Fastify();
app.setErrorHandler((error, _request, reply) => reply.code(error instanceof GatewayError ? error.status : 500).send());
registerGuide(app, folder);

test('the guide is served with a policy that lets nothing in from outside, compressed where it is taken', async () => {
  const page = await app.inject({ url: '/docs/guide/', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(gunzipSync(page.rawPayload).toString(), '<h1>Guide</h1>');
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal((await app.inject('/docs/guide/clients/')).body, '<h1>Clients</h1>');
  assert.equal(
    (await app.inject('/docs/guide/search.json')).headers['content-type'],
    'application/json; charset=utf-8',
  );
});

test('the address without its slash leads to the guide under any prefix, and other paths are 404', async () => {
  assert.equal((await app.inject('/docs/guide')).headers['location'], 'guide/');
  for (const path of ['built.txt', 'nope.html', '..%2Fpackage.json', '%2e%2e/%2e%2e/etc/passwd'])
    assert.equal((await app.inject(`/docs/guide/${path}`)).statusCode, 404, path);
});
