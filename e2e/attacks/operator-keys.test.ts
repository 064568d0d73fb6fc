// Operator keys (contract-2 10): what each role opens, how soon a revoked one is closed everywhere, and what guessing brings.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AuditEntry } from '#contract/audit.ts';
import type { OperatorKey } from '#contract/operator-keys.ts';
import { NO_DATABASE_SERVER, OPERATOR_KEY, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { suiteGateway, uniqueName } from '../support/world.ts';

type Call = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
type Made = OperatorKey & { key: string };
const behindProxy = { TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8' };

function makeKey(gateway: TestGateway, input: object): Promise<Made> {
  return gateway.operator('POST', '/operator-keys', { name: uniqueName('key'), ...input });
}

function send({ address }: Pick<TestGateway, 'address'>, key: string, path: string, init: Call = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  return fetch(`${address}${path}`, { ...init, headers });
}

const via = (from: string): Call => ({ headers: { 'x-forwarded-for': from } });

async function statusesOf(gateway: TestGateway, key: string): Promise<number[]> {
  const put = { method: 'PUT', body: JSON.stringify({ multiplier: '1' }) };
  const calls = [
    send(gateway, key, '/operator/v1/accounts'),
    send(gateway, key, `/operator/v1/groups/${uniqueName('g')}`, put),
    send(gateway, key, '/operator/v1/session'),
    send(gateway, key, '/metrics', via('192.0.2.1')),
  ];
  return Promise.all(calls.map(async (call) => (await call).status));
}

describe('operator keys', async () => {
  const gateway = await suiteGateway({ settings: behindProxy });

  test('each role opens what it names and nothing else, and the audit log says which key it was', async () => {
    const [admin, viewer, metrics] = await Promise.all(
      ['admin', 'viewer', 'metrics'].map((role) => makeKey(gateway, { role })),
    );
    assert.match(admin?.key ?? '', /^tgo_[0-9A-Za-z]{40,}$/);
    assert.deepEqual(await statusesOf(gateway, admin?.key ?? ''), [200, 201, 200, 200]);
    assert.deepEqual(await statusesOf(gateway, viewer?.key ?? ''), [200, 403, 200, 200]);
    assert.deepEqual(await statusesOf(gateway, metrics?.key ?? ''), [403, 403, 403, 200]);
    assert.deepEqual(await statusesOf(gateway, 'tgo_nobody'), [401, 401, 401, 403]);
    const { data } = await gateway.operator<{ data: AuditEntry[] }>('GET', `/audit?operator=key:${admin?.name}`);
    assert.equal(data[0]?.action, 'group.create');
    const raised = await send(gateway, viewer?.key ?? '', `/operator/v1/operator-keys/${viewer?.id}`, {
      method: 'PATCH',
      body: JSON.stringify({ role: 'admin' }),
    });
    assert.equal(raised.status, 403, 'a viewer raises itself');
  });

  test('a key is shown once and stored as a hash (promise A-01)', async () => {
    const { key, id, key_hint } = await makeKey(gateway, { role: 'admin' });
    const shown = JSON.stringify([
      await gateway.operator('GET', `/operator-keys/${id}`),
      await gateway.operator('GET', '/operator-keys?limit=100'),
      await gateway.operator('GET', '/audit?resource=operator_key&limit=100'),
    ]);
    assert.ok(!shown.includes(key) && shown.includes(key_hint));
    const files = readdirSync(gateway.dataFolder).filter((name) => name.includes('tollgate'));
    assert.ok(files.length > 0);
    for (const name of files) assert.ok(!readFileSync(join(gateway.dataFolder, name)).includes(key), name);
    assert.ok(!gateway.logLines.join('\n').includes(key));
  });

  test('disabled, expired and revoked keys are closed at once', async () => {
    const now = Math.floor(Date.now() / 1000);
    const { key, id } = await makeKey(gateway, { role: 'viewer', expires_at: now + 3600 });
    const status = async () => (await send(gateway, key, '/operator/v1/accounts')).status;
    assert.equal(await status(), 200);
    for (const patch of [{ status: 'disabled' }, { status: 'enabled', expires_at: now - 1 }]) {
      await gateway.operator('PATCH', `/operator-keys/${id}`, patch);
      assert.equal(await status(), 401, JSON.stringify(patch));
    }
    await gateway.operator('PATCH', `/operator-keys/${id}`, { expires_at: null });
    assert.equal(await status(), 200);
    await gateway.operator('DELETE', `/operator-keys/${id}`);
    assert.equal(await status(), 401);
    assert.equal((await send(gateway, OPERATOR_KEY, `/operator/v1/operator-keys/${id}`)).status, 404);
  });

  test('guesses end in 429, by address, and never close a right key (contract-2 10)', async () => {
    const { key } = await makeKey(gateway, { role: 'viewer' });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const path = i % 2 === 0 ? '/operator/v1/accounts' : '/metrics';
      statuses.push((await send(gateway, `tgo_guess${i}`, path, via('192.0.2.50'))).status);
    }
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    assert.equal((await send(gateway, key, '/operator/v1/accounts', via('192.0.2.50'))).status, 200);
    assert.equal((await send(gateway, 'tgo_other', '/operator/v1/accounts', via('192.0.2.51'))).status, 401);
    const { data } = await gateway.operator<{ data: AuditEntry[] }>('GET', '/audit?action=operator_key.refuse');
    const rows = data.filter(({ detail }) => detail['address'] === '192.0.2.50');
    assert.ok(rows.length >= 10 && rows.length <= 15, `${rows.length} rows`);
    assert.ok(!JSON.stringify(rows).includes('guess1'), 'what was guessed is not kept');
  });

  test('the key of the settings is not found by guessing, and goes on working where it is used', async () => {
    const use = (from: string) => send(gateway, OPERATOR_KEY, '/operator/v1/accounts', via(from));
    assert.equal((await use('198.51.100.9')).status, 200);
    for (const from of ['192.0.2.60', '198.51.100.9'])
      for (let i = 0; i < 35; i++) await send(gateway, `guess-${i}`, '/operator/v1/accounts', via(from));
    assert.equal((await use('192.0.2.60')).status, 429, 'a stranger who has guessed too often');
    assert.equal((await use('198.51.100.9')).status, 200, 'an address where it was right before');
  });

  test('the same wrong key again, as a forgotten script sends it, is one guess', async () => {
    for (let i = 0; i < 40; i++)
      assert.equal((await send(gateway, 'tgo_old', '/operator/v1/accounts', via('192.0.2.70'))).status, 401);
  });
});

describe('operator keys on two nodes', { skip: NO_DATABASE_SERVER }, () => {
  test('a revoked key is closed on every node within 2 s, and guesses count on all of them', async () => {
    const gateway = await suiteGateway({ postgres: true });
    const { upstream, databaseUrl = '' } = gateway;
    const other = await suiteGateway({ databaseUrl, upstream });
    const { key, id } = await makeKey(gateway, { role: 'viewer' });
    assert.equal((await send(other, key, '/operator/v1/accounts')).status, 200);
    await gateway.operator('DELETE', `/operator-keys/${id}`);
    await waitUntil(async () => (await send(other, key, '/operator/v1/accounts')).status === 401, 'it is open there');
    for (let i = 0; i < 31; i++) await send(i % 2 === 0 ? gateway : other, `tgo_guess${i}`, '/operator/v1/accounts');
    assert.equal((await send(other, 'tgo_one-more', '/operator/v1/accounts')).status, 429);
  });
});
