import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const PASSWORD = 'correct horse battery';

onEveryStore((open) => {
  test('operators are created, changed and listed, never with their password', async () => {
    const { call, changes } = await makeOperatorApp(await open());
    const made = await call('POST', '/operators', { name: 'root', password: PASSWORD, role: 'admin' });
    assert.equal(made.status, 201);
    assert.deepEqual(Object.keys(made.body), [
      'id',
      'name',
      'role',
      'status',
      'must_change_password',
      'second_factor',
      'created_at',
      'etag',
    ]);
    assert.equal((await call('POST', '/operators', { name: 'root', password: PASSWORD })).status, 409);
    const second = (await call('POST', '/operators', { name: 'eve', password: PASSWORD })).body;
    assert.equal(second.role, 'viewer');
    assert.equal((await call('PATCH', `/operators/${second.id}`, { name: 'root' })).status, 409);
    const patched = await call('PATCH', `/operators/${second.id}`, { password: `${PASSWORD}!`, role: 'admin' });
    assert.equal(patched.body.role, 'admin');
    assert.equal((await call('GET', '/operators')).body.data.length, 2);
    const { detail } = (await call('GET', '/audit?action=operator.change')).body.data[0];
    assert.deepEqual(detail, { role: { from: 'viewer', to: 'admin' }, password: 'changed' });
    assert.equal(changes(), 0, 'no other process keeps operators in memory');
  });

  test('the last active admin cannot be disabled or made a viewer', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/operators', { name: 'root', password: PASSWORD, role: 'admin' })).body;
    for (const patch of [{ role: 'viewer' }, { status: 'disabled' }]) {
      const answer = await call('PATCH', `/operators/${id}`, patch);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'conflict']);
    }
    const { data } = (await call('GET', '/operators')).body;
    assert.deepEqual([data[0].role, data[0].status], ['admin', 'active']);
    await call('POST', '/operators', { name: 'second', password: PASSWORD, role: 'admin' });
    assert.equal((await call('PATCH', `/operators/${id}`, { role: 'viewer' })).status, 200);
  });

  test('what is wrong is refused naming the field', async () => {
    const { call } = await makeOperatorApp(await open());
    const wrong: [object, string][] = [
      [{ name: 'two words' }, 'name'],
      [{ name: 'operator-key' }, 'name'],
      [{ password: 'short' }, 'password'],
      [{ role: 'owner' }, 'role'],
      [{ password_hash: 'x' }, 'password_hash'],
    ];
    for (const [fields, param] of wrong) {
      const { status, body } = await call('POST', '/operators', { name: 'x', password: PASSWORD, ...fields });
      assert.deepEqual([status, body.error.param], [400, param]);
      assert.ok(!body.error.message.includes(PASSWORD));
    }
    assert.equal((await call('PATCH', '/operators/opr_none', { role: 'admin' })).status, 404);
  });
});
