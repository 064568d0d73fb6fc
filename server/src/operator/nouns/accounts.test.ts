import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

onEveryStore((open) => {
  test('an account is created with the defaults of the contract, read and listed', async () => {
    const { call, changes } = await makeOperatorApp(await open());
    const made = await call('POST', '/accounts', { name: 'Acme' });
    assert.equal(made.status, 201);
    const { id, etag: _, ...rest } = made.body;
    assert.match(id, /^acc_/);
    assert.deepEqual(rest, {
      name: 'Acme',
      group: 'default',
      status: 'active',
      models: null,
      balance: '0',
      budget: null,
      budget_period: null,
      budget_start: START / 1000,
      external_id: null,
      budget_used: '0',
      rate: { rpm: null, tpm: null, concurrency: null },
      created_at: START / 1000,
    });
    assert.equal(changes(), 1);
    assert.deepEqual((await call('GET', `/accounts/${id}`)).body, made.body);
    assert.deepEqual((await call('GET', '/accounts')).body, { data: [made.body], next_cursor: null });
  });

  test('a patch changes only the given fields, and null lifts the model list', async () => {
    const { call, changes } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/accounts', { name: 'Acme', models: ['gpt-*'] })).body;
    const disabled = await call('PATCH', `/accounts/${id}`, { status: 'disabled' });
    assert.equal(disabled.status, 200);
    assert.deepEqual(disabled.body.models, ['gpt-*']);
    assert.equal(disabled.body.status, 'disabled');
    assert.equal((await call('PATCH', `/accounts/${id}`, { models: null })).body.models, null);
    const applied = changes();
    assert.equal((await call('PATCH', `/accounts/${id}`, {})).status, 200);
    assert.equal(changes(), applied, 'nothing changed, so there is no notice');
  });

  test('no two accounts have the same external id, and one is found by it (contract-2 11)', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id, external_id } = (await call('POST', '/accounts', { name: 'a', external_id: 'crm:7' })).body;
    assert.equal(external_id, 'crm:7');
    const other = (await call('POST', '/accounts', { name: 'b' })).body;
    for (const again of [
      await call('POST', '/accounts', { name: 'a', external_id: 'crm:7' }),
      await call('PATCH', `/accounts/${other.id}`, { external_id: 'crm:7' }),
    ]) {
      assert.deepEqual([again.status, again.body.error.param], [409, 'external_id']);
    }
    assert.equal((await call('PATCH', `/accounts/${id}`, { external_id: 'crm:7', name: 'c' })).body.name, 'c');
    const found = (await call('GET', '/accounts?external_id=crm:7')).body.data;
    assert.deepEqual(
      found.map((one: { id: string }) => one.id),
      [id],
    );
    assert.equal((await call('PATCH', `/accounts/${id}`, { external_id: null })).body.external_id, null);
    assert.equal((await call('PATCH', `/accounts/${other.id}`, { external_id: 'crm:7' })).status, 200);
  });

  test('what is wrong is refused naming the field', async () => {
    const { call } = await makeOperatorApp(await open());
    const wrong: [unknown, string | null][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ name: 'a', balance: '5' }, 'balance'],
      [{ name: 'a', status: 'closed' }, 'status'],
      [{ name: 'a', models: ['ok', 'not ok'] }, 'models.1'],
      [{ name: 'a', models: ['a*b'] }, 'models.0'],
      [[], null],
    ];
    for (const [body, param] of wrong) {
      const { status, body: answer } = await call('POST', '/accounts', body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(answer.error.code, 'invalid_request');
      assert.equal(answer.error.param, param);
      assert.ok(param === null || answer.error.message.includes(`"${param}"`));
    }
    assert.equal((await call('GET', '/accounts/acc_none')).status, 404);
    assert.equal((await call('GET', '/accounts/%00')).status, 400);
    assert.equal((await call('PATCH', '/accounts/acc_none', { name: 'b' })).body.error.code, 'not_found');
  });

  test('pages follow one another without gaps or repeats', async () => {
    const { call, clock } = await makeOperatorApp(await open());
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      made.unshift((await call('POST', '/accounts', { name: `a${i}`, group: i === 3 ? 'vip' : 'default' })).body.id);
      clock.move(1);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await call('GET', `/accounts?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.data.map((account: { id: string }) => account.id));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, made);
    assert.equal((await call('GET', '/accounts?group=vip')).body.data.length, 1);
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=%21%21', 'sort=colour']) {
      const { status, body } = await call('GET', `/accounts?${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.error.param, query.split('=')[0]);
    }
  });

  test('credits are ledger entries, exact to nine decimals', async () => {
    const { call } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    const given = await call('POST', `/accounts/${id}/credits`, { amount: '10.000000001', note: 'invoice 7' });
    assert.equal(given.status, 201);
    assert.equal(given.body.kind, 'credit');
    assert.equal(given.body.amount, '10.000000001');
    assert.equal(given.body.balance_after, '10.000000001');
    assert.equal(given.body.author, 'operator-key');
    const taken = await call('POST', `/accounts/${id}/credits`, { amount: '-0.000000001' });
    assert.equal(taken.body.balance_after, '10');
    assert.equal((await call('GET', `/accounts/${id}`)).body.balance, '10');
    const { data } = (await call('GET', `/ledger?account_id=${id}&kind=credit`)).body;
    assert.deepEqual(data, [taken.body, given.body]);
  });

  test('a credit never takes more than is there and never overflows', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    await call('POST', `/accounts/${id}/credits`, { amount: '5' });
    for (const amount of ['-5.000000001', '0', '0.0', '1.0000000001', '1e3', 5, '9999999999']) {
      const { status, body } = await call('POST', `/accounts/${id}/credits`, { amount });
      assert.equal(status, 400, String(amount));
      assert.equal(body.error.param, 'amount');
    }
    for (let i = 0; i < 4; i++) await call('POST', `/accounts/${id}/credits`, { amount: '999999990' });
    assert.equal((await call('POST', `/accounts/${id}/credits`, { amount: '999999999' })).status, 400);
    assert.equal((await call('POST', '/accounts/acc_none/credits', { amount: '1' })).status, 404);

    await store.transaction(async (transaction) => {
      await transaction.updateTable('accounts').set({ balance: -3n }).where('id', '=', id).execute();
    });
    assert.equal(
      (await call('POST', `/accounts/${id}/credits`, { amount: '0.000000001' })).body.balance_after,
      '-0.000000002',
    );
  });
});
