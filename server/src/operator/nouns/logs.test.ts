import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { firstIdAt } from '../../shared/ids.ts';
import type { RequestsTable } from '../../store/tables.ts';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const AT = 1_760_000_000;

function requestRow(number: number, more: Partial<RequestsTable> = {}): RequestsTable {
  return {
    id: `${firstIdAt('req', (AT + number) * 1000)}_${number}`,
    account_id: 'acc_1',
    token_id: 'tok_1',
    group_name: 'default',
    endpoint: '/v1/chat/completions',
    model: 'gpt-4o',
    channel_id: 'chn_1',
    status: 200,
    error_code: null,
    attempts: JSON.stringify([{ channel_id: 'chn_1', status: 200, error: null, ms: 12 }]),
    first_byte_ms: 10,
    total_ms: 20,
    usage: JSON.stringify({ input_tokens: 3, output_tokens: 4 }),
    usage_source: 'upstream',
    charge: 1_500_000_000n,
    arithmetic: '3 x 0.5 = 1.5',
    mode: 'live',
    created_at: AT + number,
    ...more,
  };
}

onEveryStore((open) => {
  test('the request log is read newest first, one by one, and by filter', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1' });
    await addToken(store, { id: 'tok_3', account_id: 'acc_1' });
    for (const row of [
      requestRow(1),
      requestRow(2, {
        account_id: 'acc_2',
        status: 429,
        error_code: 'rate_limit_exceeded',
        usage: null,
        usage_source: null,
      }),
      requestRow(3, { token_id: 'tok_3', model: 'other', channel_id: null }),
    ]) {
      await store.commit({ kind: 'log', request: row });
    }
    const ids = async (query: string) =>
      (await call('GET', `/requests${query}`)).body.data.map((row: { id: string }) => row.id.at(-1)).join('');
    assert.equal(await ids(''), '321');
    assert.equal(await ids('?account_id=acc_2'), '2');
    assert.equal(await ids('?token_id=tok_3'), '3');
    assert.equal(await ids('?model=gpt-4o'), '21');
    assert.equal(await ids('?status=429'), '2');
    assert.equal(await ids('?failed=true'), '2');
    assert.equal(await ids('?error_code=rate_limit_exceeded'), '2');
    assert.equal(await ids('?error_code=none'), '');
    assert.equal(await ids('?channel_id=chn_1'), '21');
    assert.equal(await ids(`?id=${requestRow(3).id}`), '3');
    assert.equal(await ids('?account_id=acc_1&model=gpt-4o'), '1');
    assert.equal(await ids('?token_id=tok_1&failed=true&channel_id=chn_1'), '2');
    assert.equal(await ids('?token_id=tok_3&status=429'), '');
    assert.equal(await ids('?account_id=acc_1&status=200'), '31');
    assert.equal(await ids('?failed=false'), '31');
    assert.equal(await ids(`?from=${AT + 2}&to=${AT + 3}`), '2');
    assert.equal(await ids(`?from=${new Date((AT + 3) * 1000).toISOString()}`), '3');
    assert.equal(await ids(`?from=${AT}&to=253402300799`), '321');
    assert.equal(await ids('?from=253402300799'), '');
    const first = (await call('GET', '/requests?limit=2')).body;
    assert.equal(await ids(`?limit=2&cursor=${first.next_cursor}`), '1');
    const one = (await call('GET', `/requests/${requestRow(1).id}`)).body;
    assert.equal(one.charge, '1.5');
    assert.deepEqual(one.usage, { input_tokens: 3, output_tokens: 4 });
    assert.deepEqual(one.attempts, [{ channel_id: 'chn_1', status: 200, error: null, ms: 12 }]);
    assert.equal(one.task_id, null);
    assert.equal((await call('GET', '/requests/req_none')).status, 404);
    for (const query of ['from=yesterday', 'to=-1', 'status=x', 'status=99', 'user=1']) {
      assert.equal((await call('GET', `/requests?${query}`)).body.error.param, query.split('=')[0]);
    }
  });

  test('all that usage is grouped by is a filter of the log, and so is having none of it (issue 34 point 3)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const body = {
      name: 'one',
      provider: 'anthropic',
      base_url: 'http://127.0.0.1:9',
      keys: ['sk-12345678'],
      models: { a: 'a' },
    };
    const channel = (await call('POST', '/channels', body)).body.id as string;
    for (const row of [
      requestRow(1, { channel_id: channel, endpoint: '/v1/messages' }),
      requestRow(2, { group_name: 'gold', mode: 'test' }),
      requestRow(3, { channel_id: null, status: 404, error_code: 'model_not_found', model: 'invented' }),
      requestRow(4, { channel_id: null, status: 401, model: null, account_id: '', token_id: '', endpoint: '/v1/x' }),
    ])
      await store.commit({ kind: 'log', request: row });
    const ids = async (query: string) =>
      (await call('GET', `/requests?${query}`)).body.data.map((row: { id: string }) => row.id.at(-1)).join('');
    const cases: [query: string, found: string][] = [
      ['provider=anthropic', '1'],
      ['provider=openai', ''],
      ['endpoint=/v1/messages', '1'],
      ['endpoint=/v1/chat/completions', '32'],
      ['group=gold', '2'],
      ['mode=test', '2'],
      ['mode=live&account_id=acc_1', '31'],
      ['lacks=model', '43'],
      ['lacks=endpoint', '4'],
      ['lacks=channel&failed=true', '43'],
      ['lacks=account', '4'],
      ['account_id=acc_1&provider=anthropic&failed=false', '1'],
    ];
    for (const [query, found] of cases) assert.equal(await ids(query), found, query);
    assert.equal((await call('GET', '/requests?lacks=luck')).status, 400);
  });

  test('filters together find the same lines for an owner with few lines and one with many', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const many = Array.from({ length: 5_100 }, (_, number) =>
      requestRow(number, { status: number === 7 ? 502 : 200, model: number === 9 ? 'rare' : 'gpt-4o' }),
    );
    await Promise.all(many.map((request) => store.commit({ kind: 'log', request })));
    const found = async (query: string) =>
      (await call('GET', `/requests?${query}`)).body.data.map((row: { created_at: number }) => row.created_at - AT);
    assert.deepEqual(await found('token_id=tok_1&failed=true'), [7]);
    assert.deepEqual(await found('account_id=acc_1&model=rare'), [9]);
    assert.deepEqual(await found(`account_id=acc_1&model=rare&to=${AT + 9}`), []);
    assert.deepEqual(await found('token_id=tok_1&account_id=acc_2&model=rare'), []);
    assert.deepEqual(await found(`token_id=tok_1&status=200&from=${AT + 5_098}`), [5099, 5098]);
  });

  test('a list that takes longer than a second is refused with the advice to narrow it (promise A-14)', async () => {
    const store = await open();
    const counting = sql<object>`(with recursive counted (n) as
      (select 1 union all select n + 1 from counted where n < 1000000000) select count(*) from counted)`;
    const slow = store.lists.selectFrom(counting.as('counting')).selectAll();
    const lists = store.lists.withPlugin({
      transformQuery: () => slow.toOperationNode(),
      transformResult: async ({ result }) => result,
    });
    const { call } = await makeOperatorApp({ ...store, lists });
    const { status, body } = await call('GET', '/requests?model=none');
    assert.deepEqual([status, body.error.code, body.error.type], [503, 'list_too_slow', 'server_error']);
    assert.match(body.error.message, /add a filter, or name a shorter range of time/);
  });

  test('the ledger is read newest first and by filter', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1', balance: 10_000_000_000n });
    await addToken(store, { id: 'tok_1', account_id: 'acc_1' });
    await store.commit(holdOperation({ id: 'req_1', account_id: 'acc_1', token_id: 'tok_1', amount: 4_000_000_000n }));
    await store.commit(endOperation('req_1', 1_000_000_000n));
    const read = async (query: string) =>
      (await call('GET', `/ledger${query}`)).body.data.map((row: { kind: string; amount: string }) => [
        row.kind,
        row.amount,
      ]);
    const all = await read('?account_id=acc_1');
    assert.equal(all.length, 4);
    assert.deepEqual(all.at(-1), ['credit', '10']);
    assert.deepEqual(await read('?request_id=req_1&kind=settle'), [['settle', '1']]);
    assert.deepEqual(await read('?token_id=tok_1&kind=release'), [['release', '3']]);
    assert.deepEqual(await read(`?to=${AT}`), []);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await call('GET', `/ledger?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(body.data[0].id);
      cursor = body.next_cursor;
    }
    assert.equal(new Set(seen).size, 4);
    assert.equal((await call('GET', '/ledger?cursor=YWJj')).body.error.param, 'cursor');
    assert.equal((await call('GET', '/tokens/tok_1')).body.used, '1');
  });
});
