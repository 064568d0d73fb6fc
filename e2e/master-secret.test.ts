// Another master secret, put in place by the command that docs/operating.md names.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { changeSecret } from '../server/src/start/change-secret.ts';
import { readConfig } from '../server/src/start/config.ts';
import { type Gateway, startGateway } from '../server/src/gateway.ts';
import { totpCode } from '../server/src/operator/testing/totp-code.ts';
import { makeLogger } from '../server/src/telemetry/logger.ts';
import { waitUntil } from './support/wait.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests';
const EVE = { name: 'eve', password: 'correct horse battery' };

interface Options {
  method?: string;
  body?: unknown;
  /** Instead of the operator key. */
  headers?: Record<string, string>;
}

async function send(gateway: Gateway, path: string, options: Options = {}) {
  const { body, method = body === undefined ? 'GET' : 'POST' } = options;
  const response = await fetch(`${gateway.address}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(options.headers ?? { authorization: `Bearer ${OPERATOR_KEY}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text === '' ? '{}' : text) };
}

const signIn = (gateway: Gateway) => send(gateway, '/operator/v1/session', { body: EVE, headers: {} });

async function addSecondFactor(gateway: Gateway): Promise<void> {
  const session = await signIn(gateway);
  const headers = {
    cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    'x-csrf-token': session.body.csrf_token,
  };
  const path = '/operator/v1/session/second-factor';
  const { secret } = (await send(gateway, path, { body: { password: EVE.password }, headers })).body;
  const code = totpCode(secret, Math.floor(Date.now() / 30_000));
  assert.equal((await send(gateway, `${path}/confirm`, { body: { code }, headers })).status, 200);
}

test('after a change of the master secret all goes on with the new one, and the old one is refused (promise A-02)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-secret-'));
  const settings = { PORT: '0', TOLLGATE_DATA_DIR: folder, LOG_LEVEL: 'silent', TOLLGATE_OPERATOR_KEY: OPERATOR_KEY };
  const start = (secret: string): Promise<Gateway> =>
    startGateway(readConfig({ ...settings, TOLLGATE_SECRET: secret }), makeLogger('silent').logger);
  let gateway = await start('the first of two secrets');
  t.after(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const account_id = (await send(gateway, '/operator/v1/accounts')).body.data[0].id;
  const token = { account_id, name: 'kept', options: { store_bodies: 'all' } };
  const { key } = (await send(gateway, '/operator/v1/tokens', { body: token })).body;
  const chat = () =>
    send(gateway, '/v1/chat/completions', {
      body: { model: 'sandbox-chat', messages: [{ role: 'user', content: 'hello' }] },
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'the same' },
    });
  const first = await chat();
  assert.equal(first.status, 200);
  assert.equal((await chat()).body.id, first.body.id, 'the kept answer');
  const request = `/operator/v1/requests/${first.headers.get('x-request-id')}`;
  await waitUntil(async () => (await send(gateway, `${request}/bodies`)).status === 200, 'no bodies were kept');
  await send(gateway, '/operator/v1/operators', { body: { ...EVE, must_change_password: false } });
  await addSecondFactor(gateway);
  assert.equal((await signIn(gateway)).status, 401, 'without a code');
  await gateway.stop();

  const [old, next] = ['the first of two secrets', 'the second of two secrets'];
  await changeSecret({ databaseUrl: undefined, dataFolder: folder, secret: old }, next);
  await assert.rejects(start(old), /TOLLGATE_SECRET is not the one/);
  gateway = await start(next);
  assert.equal((await signIn(gateway)).status, 401, 'the second factor is still asked for');
  assert.equal((await chat()).body.id, first.body.id, 'the answer that was kept');
  assert.equal((await send(gateway, `${request}/bodies`)).status, 200);
  const other = await send(gateway, '/v1/chat/completions', {
    body: { model: 'sandbox-chat', messages: [{ role: 'user', content: 'again' }] },
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(other.status, 200, 'the keys of channels are read');
});
