// Lists as files (contract-2 10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../testing/stores.ts';
import { makeOperatorApp, OPERATOR_KEY } from './testing/operator-app.ts';

const authorization = `Bearer ${OPERATOR_KEY}`;

onEveryStore((open) => {
  test('a list is a CSV or NDJSON file of all rows with the same filters, by query or Accept (contract-2 10)', async () => {
    const { app, call } = await makeOperatorApp(await open());
    const accountId = (await call('POST', '/accounts', { name: 'Acme' })).body.id;
    const other = (await call('POST', '/accounts', { name: 'Other' })).body.id;
    await call('POST', '/tokens', { account_id: other, name: 'not asked for' });
    for (const name of ['=cmd()', 'a "quoted", name', 'plain'])
      await call('POST', '/tokens', { account_id: accountId, name, quota: '2.5' });
    const read = async (path: string, headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url: `/operator/v1${path}`, headers: { authorization, ...headers } });

    const csv = await read(`/tokens?account_id=${accountId}&format=csv&limit=1`);
    assert.equal(csv.statusCode, 200);
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(csv.headers['content-disposition'], 'attachment; filename="tokens.csv"');
    const [head, ...lines] = csv.body.trimEnd().split('\r\n');
    assert.match(head ?? '', /^id,account_id,name,models,/);
    assert.equal(lines.length, 3);
    const names = lines
      .map((line) => line.split(`,${accountId},`)[1]?.split(',,,')[0])
      .toSorted((a = '', b = '') => (a < b ? -1 : 1));
    assert.deepEqual(names, [`"a ""quoted"", name"`, "'=cmd()", 'plain']);

    const json = (await call('GET', `/tokens?account_id=${accountId}`)).body.data;
    const ndjson = await read(`/tokens?account_id=${accountId}`, { accept: 'application/x-ndjson' });
    assert.equal(ndjson.headers['content-type'], 'application/x-ndjson; charset=utf-8');
    assert.deepEqual(
      ndjson.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      json,
    );

    assert.equal((await read('/tokens?format=xml')).statusCode, 400);
    assert.equal((await read('/tokens?format=csv&cursor=%20')).statusCode, 400);
    assert.equal((await read('/tokens?format=csv&nonsense=1')).statusCode, 400);
    assert.equal((await read('/tokens?format=csv', { authorization: 'Bearer wrong' })).statusCode, 401);
  });

  test('a file goes on over pages (contract-2 10)', async () => {
    const store = await open();
    const { app, call } = await makeOperatorApp(store);
    const { id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    const row = await store.reads.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await store.transaction(async (transaction) => {
      for (let index = 0; index < 1100; index += 100) {
        const rows = Array.from({ length: 100 }, (_, at) => ({
          ...row,
          id: `acc_${index + at}`,
          name: `n${index + at}`,
        }));
        await transaction.insertInto('accounts').values(rows).execute();
      }
    });
    const csv = await app.inject({ url: '/operator/v1/accounts?format=csv', headers: { authorization } });
    const names = csv.body
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
    assert.equal(names.length, 1101);
    assert.equal(new Set(names).size, 1101);
  });

  test('every list offers it', async () => {
    const { app, routes } = await makeOperatorApp(await open());
    for (const [method, path] of routes) {
      if (method !== 'GET' || path.includes('x')) continue;
      const plain = await app.inject({ url: `/operator/v1${path}`, headers: { authorization } });
      if (plain.statusCode !== 200 || !plain.body.startsWith('{"data":[')) continue;
      const file = await app.inject({ url: `/operator/v1${path}?format=csv`, headers: { authorization } });
      assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8', path);
    }
  });
});
