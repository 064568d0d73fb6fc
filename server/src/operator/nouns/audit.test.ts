import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '#contract/audit.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const PASSWORD = 'long enough 1';

onEveryStore((open) => {
  test('the audit log names members, sessions, operators, keys, sinks and codes (issue 34 point 6)', async () => {
    const { call, bare } = await makeOperatorApp(await open());
    const make = async (path: string, body: object): Promise<string> => {
      const answer = await call('POST', path, body);
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.id ?? answer.body.data[0].id;
    };
    const account = await make('/accounts', { name: 'Acme' });
    const ids = {
      account,
      member: await make(`/accounts/${account}/members`, { email: 'ann@example.com' }),
      operator: await make('/operators', { name: 'root', password: PASSWORD, role: 'admin' }),
      operator_key: await make('/operator-keys', { name: 'ci', role: 'viewer' }),
      alert_sink: await make('/alerts/sinks', { name: 'chat', kind: 'slack', url: 'https://example.com/hook' }),
      code: await make('/codes', { amount: '5', count: 2 }),
    };
    await call('PUT', `/accounts/${account}/webhook`, { url: 'https://example.com/done' });
    await call('DELETE', `/operator-keys/${ids.operator_key}`);
    const { hint } = (await call('GET', '/codes')).body.data.find(({ id }: { id: string }) => id === ids.code);
    await call('DELETE', `/codes/${ids.code}`);
    assert.equal((await bare('POST', '/session', { name: 'root', password: PASSWORD })).status, 201);
    const { data, names } = (await call('GET', '/audit')).body as {
      data: AuditEntry[];
      names: Record<string, string>;
    };
    assert.deepEqual(names, {
      [ids.account]: 'Acme',
      [ids.member]: 'ann@example.com',
      [ids.operator]: 'root',
      [ids.operator_key]: 'ci',
      [ids.alert_sink]: 'chat',
      [ids.code]: hint,
    });
    const of = (action: string) => data.find((row) => row.action === action);
    assert.equal(of('session.create')?.resource_id, ids.operator);
    assert.equal(of('member.create')?.account_id, account, 'a member leads to the account');
    assert.deepEqual([of('account.create')?.account_id, of('session.create')?.account_id], [null, null]);
  });
});
