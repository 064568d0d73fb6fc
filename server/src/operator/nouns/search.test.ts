import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

type Row = { id: string; name: string; kind: string };

onEveryStore((open) => {
  test('a few letters find accounts, tokens, channels and models, the best match first (issue 34 point 6)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    for (const name of ['Old Acme Works', 'Acme Labs', 'acme', 'Other'])
      await addAccount(store, { id: `acc_${name.replaceAll(' ', '')}`, name });
    await addToken(store, { id: 'tok_1', account_id: 'acc_acme', name: 'acme reports' });
    await call('PUT', '/models/acme-large', { price: { unit: 'request', amount: '1' } });
    const find = async (query: string) => (await call('GET', `/search?${query}`)).body.found as Row[];
    assert.deepEqual(
      (await find('q=ACME')).map(({ kind, name }) => `${kind} ${name}`),
      ['account acme', 'account Acme Labs', 'account Old Acme Works', 'token acme reports', 'model acme-large'],
    );
    assert.deepEqual(
      (await find('q=acme&kind=account&limit=1')).map(({ name }) => name),
      ['acme'],
    );
    assert.deepEqual(
      (await find('q=tok_1')).map(({ id }) => id),
      ['tok_1'],
    );
    assert.deepEqual(await find('q=%25'), [], 'signs of a pattern are letters');
    assert.equal((await find('kind=account')).length, 4, 'without letters the newest');
    assert.equal((await call('GET', '/search?q=')).status, 400);
  });

  test('ids are turned into names, and rows of lists bring those that they need (issue 34 point 1)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1', name: 'Acme' });
    await addToken(store, { id: 'tok_1', account_id: 'acc_1', name: 'reports' });
    assert.deepEqual((await call('GET', '/names?ids=acc_1,tok_1,chn_gone')).body, {
      names: { acc_1: 'Acme', tok_1: 'reports' },
    });
    assert.equal((await call('GET', `/names?ids=${'x,'.repeat(201)}`)).status, 400);
    assert.deepEqual((await call('GET', '/tokens')).body.names, { acc_1: 'Acme' });
    await call('POST', '/accounts/acc_1/credits', { amount: '5' });
    assert.deepEqual((await call('GET', '/ledger')).body.names, { acc_1: 'Acme' });
    assert.deepEqual((await call('GET', '/audit')).body.names, { acc_1: 'Acme' });
  });

  test('accounts and tokens are sorted by the gateway, page after page, with equal values too', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const names = ['b', 'C c', 'a', 'B', 'd'];
    for (const [index, name] of names.entries()) {
      await addAccount(store, { id: `acc_${index}`, name });
      await addToken(store, { id: `tok_${index}`, account_id: 'acc_0', name });
    }
    for (const [index, amount] of ['5', '-3', '5', '20', '7'].entries())
      await call('POST', `/accounts/acc_${index}/credits`, { amount });
    const all = async (path: string) => {
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page = `${path}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { body } = await call('GET', page);
        ids.push(...(body.data as Row[]).map(({ id }) => id));
        cursor = body.next_cursor as string | null;
      } while (cursor !== null);
      return ids.map((id) => id.slice(-1)).join('');
    };
    assert.equal(await all('/accounts?sort=name'), '20314');
    assert.equal(await all('/accounts?sort=-name'), '41302');
    assert.equal(await all('/tokens?sort=name'), '20314');
    assert.match(await all('/accounts?sort=-balance'), /^34(20|02)1$/);
    assert.match(await all('/accounts?sort=balance'), /^1(20|02)43$/);
    assert.equal((await all('/accounts?sort=created_at')).length, 5);
    assert.equal((await call('GET', '/accounts?sort=group')).status, 400);
    const strange = Buffer.from('no-value').toString('base64url');
    assert.equal((await call('GET', `/accounts?sort=balance&cursor=${strange}`)).status, 400);
  });

  test('a list goes on after the largest amounts too, and a number that no column can hold is refused (issue 34 point 1)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    for (const [id, credits] of Object.entries({ acc_1: 4, acc_2: 3, acc_3: 2 })) {
      await addAccount(store, { id });
      for (let count = 0; count < credits; count++)
        assert.equal((await call('POST', `/accounts/${id}/credits`, { amount: '900000000' })).status, 201);
    }
    const first = (await call('GET', '/accounts?sort=-balance&limit=1')).body;
    const next = await call('GET', `/accounts?sort=-balance&limit=1&cursor=${first.next_cursor}`);
    assert.deepEqual([next.status, next.body.data?.[0]?.id], [200, 'acc_2']);
    for (const value of ['9223372036854775808', '-9223372036854775809', '1'.repeat(300)]) {
      const cursor = Buffer.from(`${value} acc_1`).toString('base64url');
      for (const path of ['/accounts?sort=balance', '/usage?bucket=all&by=account&rank=amount'])
        assert.equal((await call('GET', `${path}&cursor=${cursor}`)).status, 400, `${path} after ${value}`);
    }
  });

  test('text filters match the whole text, or its beginning where a * ends it (issue 34 point 1)', async () => {
    const { call } = await makeOperatorApp(await open());
    await call('POST', '/accounts', { name: 'a' });
    await call('PUT', '/groups/gold', { multiplier: '2' });
    const count = async (query: string) => ((await call('GET', `/audit?${query}`)).body.data as unknown[]).length;
    assert.deepEqual(
      [await count('action=account.create'), await count('action=account'), await count('action=account*')],
      [1, 0, 1],
    );
    assert.deepEqual([await count('operator=*'), await count('action=%25*')], [2, 0]);
  });
});
