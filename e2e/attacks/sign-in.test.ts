// Guessing the passwords of operators: what it costs the guesser, and what it never costs the operators (contract-2 10,
// promise A-15).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '#contract/audit.ts';
import { NO_DATABASE_SERVER, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { suiteGateway } from '../support/world.ts';

const PASSWORD = 'the right password of admin';
const settings = { TOLLGATE_OPERATOR_PASSWORD: PASSWORD };
const behindProxy = { ...settings, TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8' };

function signIn({ address }: Pick<TestGateway, 'address'>, name: string, password: string, from?: string) {
  return fetch(`${address}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(from !== undefined && { 'x-forwarded-for': from }) },
    body: JSON.stringify({ name, password }),
  });
}

async function guess(gateway: TestGateway, times: number, who: (i: number) => { name: string; from?: string }) {
  const statuses = new Map<number, number>();
  for (let i = 0; i < times; i += 10) {
    const some = Array.from({ length: Math.min(10, times - i) }, (_, j) => who(i + j));
    for (const { status } of await Promise.all(some.map(({ name, from }) => signIn(gateway, name, 'wrong', from))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

async function failuresOf(gateway: TestGateway): Promise<AuditEntry[]> {
  const { data } = await gateway.operator<{ data: AuditEntry[] }>('GET', '/audit?action=session.refuse&limit=100');
  return data;
}

describe('guessed passwords', () => {
  test('a hundred guesses at other names end in 429 and never refuse the right password (promise A-15)', async () => {
    const gateway = await suiteGateway({ settings });
    const statuses = await guess(gateway, 100, (i) => ({ name: `nobody${i}` }));
    assert.deepEqual([statuses.get(401), statuses.get(429)], [30, 70]);
    assert.equal((await signIn(gateway, 'admin', PASSWORD)).status, 201);
    const wrong = await signIn(gateway, 'admin', 'wrong');
    assert.equal(wrong.status, 429, 'the address is still throttled');
    assert.ok(Number(wrong.headers.get('retry-after')) > 0);
    assert.equal((await signIn(gateway, 'admin', PASSWORD)).status, 201, 'also after an own mistake');
  });

  test('headers of strangers do not change the address; those of trusted proxies name it (promise A-15)', async () => {
    const open = await suiteGateway({ settings });
    const spoofed = await guess(open, 40, (i) => ({ name: `nobody${i}`, from: `192.0.2.${i}` }));
    assert.deepEqual([spoofed.get(401), spoofed.get(429)], [30, 10]);

    const gateway = await suiteGateway({ settings: behindProxy });
    const counts = await guess(gateway, 40, (i) => ({ name: `nobody${i}`, from: `10.9.9.9, 192.0.2.7` }));
    assert.deepEqual([counts.get(401), counts.get(429)], [30, 10]);
    assert.equal((await signIn(gateway, 'nobody', 'wrong', '192.0.2.8')).status, 401, 'another client');
    const wide = await guess(gateway, 40, (i) => ({ name: `nobody${i}`, from: `2001:db8:1:2::${i + 1}` }));
    assert.deepEqual([wide.get(401), wide.get(429)], [30, 10], 'one IPv6 network is one address');
  });

  test('guesses at a name lock it for strangers, not where its operator has signed in before', async () => {
    const gateway = await suiteGateway({ settings: behindProxy });
    assert.equal((await signIn(gateway, 'admin', PASSWORD, '198.51.100.5')).status, 201);
    const statuses = await guess(gateway, 25, (i) => ({ name: 'admin', from: `192.0.2.${i}` }));
    assert.deepEqual([statuses.get(401), statuses.get(429)], [10, 15]);
    assert.equal((await signIn(gateway, 'admin', PASSWORD, '203.0.113.1')).status, 429, 'a place that is not known');
    assert.equal((await signIn(gateway, 'admin', PASSWORD, '198.51.100.5')).status, 201, 'the known place');
  });

  test('the audit log names the address of failures, and a flood of them leaves few rows', async () => {
    const gateway = await suiteGateway({ settings: behindProxy });
    await guess(gateway, 3, () => ({ name: 'admin', from: '192.0.2.77' }));
    const first = await failuresOf(gateway);
    assert.equal(first.length, 3);
    for (const { detail, resource } of first)
      assert.deepEqual([resource, detail['address'], detail['name']], ['session', '192.0.2.77', 'admin']);
    await guess(gateway, 1, () => ({ name: 'hunter2-typed-in-the-wrong-field', from: '192.0.2.78' }));
    assert.doesNotMatch(JSON.stringify(await failuresOf(gateway)), /hunter2/, 'what is no name may be a password');
    await guess(gateway, 300, (i) => ({ name: `nobody${i}`, from: '192.0.2.79' }));
    const flood = (await failuresOf(gateway)).filter(({ detail }) => detail['address'] === '192.0.2.79');
    assert.ok(flood.length >= 10 && flood.length <= 25, `${flood.length} rows`);
    assert.ok(Number(flood[0]?.detail['failures']) >= 250, JSON.stringify(flood[0]));
  });
});

describe('guessed passwords on two nodes', { skip: NO_DATABASE_SERVER }, () => {
  test('guesses count on every node and over a restart (contract-2 10)', async () => {
    const gateway = await suiteGateway({ settings, postgres: true });
    const { upstream, databaseUrl = '' } = gateway;
    const other = await startTestGateway({ settings, databaseUrl, upstream });
    const statuses = await guess(gateway, 10, () => ({ name: 'admin' }));
    assert.equal(statuses.get(401), 10);
    assert.equal((await signIn(other, 'admin', PASSWORD)).status, 429, 'on the other node');
    await other.stop();
    const again = await startTestGateway({ settings, databaseUrl, upstream });
    assert.equal((await signIn(again, 'admin', PASSWORD)).status, 429, 'after a restart');
    await again.stop();
  });
});
