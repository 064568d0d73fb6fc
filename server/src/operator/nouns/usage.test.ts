import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { postgresWords } from '../../store/postgres/sql-fragments.ts';
import { sqliteWords } from '../../store/sqlite/sql-fragments.ts';
import { usageSums } from '../../store/migrations/0020-usage-sums.ts';
import { usageOfLaterCharges } from '../../store/migrations/0042-usage-of-later-charges.ts';
import { usagePartitions } from '../../store/migrations/0071-usage-partitions.ts';
import type { RequestsTable } from '../../store/tables.ts';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { taskEnd, taskHold, taskRow } from '../../testing/task-rows.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const HOUR = 3600;
const DAY = 86_400;
/** A whole day, 20 days before the clock of the tests. */
const AT = Math.floor(1_760_000_000 / DAY) * DAY - 20 * DAY;

let count = 0;

function line(more: Partial<RequestsTable> = {}): RequestsTable {
  return {
    id: `req_${String(++count).padStart(8, '0')}`,
    account_id: 'acc_1',
    token_id: 'tok_1',
    group_name: 'default',
    endpoint: '/v1/chat/completions',
    model: 'a',
    channel_id: 'chn_1',
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: 10,
    total_ms: 20,
    usage: JSON.stringify({ input_tokens: 3, output_tokens: 4 }),
    usage_source: 'upstream',
    charge: 1_500_000_000n,
    arithmetic: null,
    mode: 'live',
    created_at: AT,
    ...more,
  };
}

onEveryStore((open) => {
  test('every line of the request log is in the sums at once, by hour, day and each name', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const rows = [
      line(),
      line({ created_at: AT + HOUR - 1, charge: 1n, first_byte_ms: 30, total_ms: 40 }),
      line({ created_at: AT + HOUR, model: 'b', channel_id: 'chn_2', group_name: 'gold', token_id: 'tok_2' }),
      line({ status: 502, error_code: 'upstream_error', usage: null, charge: 0n, first_byte_ms: null, total_ms: 5 }),
      line({ account_id: 'acc_2', model: 'picture', usage: '{"input_tokens":0,"output_tokens":0,"images":2}' }),
      line({ account_id: 'acc_2', model: 'sound', usage: '{"input_tokens":0,"output_tokens":0,"seconds":1.5}' }),
      line({
        model: 'invented',
        channel_id: null,
        status: 404,
        error_code: 'model_not_found',
        usage: null,
        charge: 0n,
      }),
      line({ mode: 'test', created_at: AT + DAY }),
    ];
    await Promise.all(rows.map((request) => store.commit({ kind: 'log', request })));

    const usage = async (query: string) =>
      (await call('GET', `/usage?from=${AT}&to=${AT + 2 * DAY}&${query}`)).body.data;
    const [first, second, third] = await usage('bucket=hour');
    assert.deepEqual(first, {
      bucket: AT,
      requests: 6,
      errors: 2,
      input_tokens: 6,
      output_tokens: 8,
      seconds: 1.5,
      images: 2,
      amount: '4.500000001',
      first_byte_ms: 14,
      total_ms: 21,
    });
    assert.deepEqual([second.bucket, second.requests, third.bucket], [AT + HOUR, 1, AT + DAY]);
    assert.deepEqual(
      (await usage('bucket=day')).map((row: { bucket: number; requests: number }) => [row.bucket, row.requests]),
      [
        [AT, 7],
        [AT + DAY, 1],
      ],
    );
    const named = async (by: string, filter = '') =>
      (await usage(`bucket=day&mode=live&by=${by}${filter}`)).map((row: Record<string, unknown>) => [
        row[by],
        row['requests'],
      ]);
    assert.deepEqual(await named('model'), [
      ['', 1],
      ['a', 3],
      ['b', 1],
      ['picture', 1],
      ['sound', 1],
    ]);
    assert.deepEqual(await named('channel'), [
      ['', 1],
      ['chn_1', 5],
      ['chn_2', 1],
    ]);
    assert.deepEqual(await named('account'), [
      ['acc_1', 5],
      ['acc_2', 2],
    ]);
    assert.deepEqual(await named('token'), [
      ['tok_1', 6],
      ['tok_2', 1],
    ]);
    assert.deepEqual(await named('group'), [
      ['default', 6],
      ['gold', 1],
    ]);
    assert.deepEqual(await named('model', '&account_id=acc_2'), [
      ['picture', 1],
      ['sound', 1],
    ]);
    assert.deepEqual(await named('account', '&channel_id=chn_2'), [['acc_1', 1]]);
    assert.deepEqual(await named('account', '&model=a&token_id=tok_1&group=default'), [['acc_1', 3]]);
  });

  test('a line that is sent twice is counted once', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const request = line();
    await store.commit({ kind: 'log', request });
    await store.commit({ kind: 'log', request });
    const { data } = (await call('GET', `/usage?from=${AT}&to=${AT + DAY}`)).body;
    assert.deepEqual([data.length, data[0].requests, data[0].amount], [1, 1, '1.5']);
  });

  test('a line that is charged when its video is done is in the sums once, with what it is then', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1', balance: 1000n });
    await addToken(store, { id: 'tok_1', account_id: 'acc_1' });
    const owner = { account_id: 'acc_1', token_id: 'tok_1' };
    const submit = { model: 'video-1', usage: null, usage_source: null, charge: 0n, first_byte_ms: null };
    const usage = '{"input_tokens":0,"output_tokens":0,"seconds":5}';
    const rows = [
      taskRow({ id: 'task_1', ...owner }),
      taskRow({ id: 'task_2', ...owner }),
      taskRow({ id: 'task_3', ...owner }),
    ];
    const ends = rows.map((row, index) => {
      const request = line({ ...submit, id: row.request_id, total_ms: 30 });
      const charge = index === 1 ? null : 70n;
      const end = { ...taskEnd(row, charge), request: charge === null ? request : { ...request, usage, charge } };
      return { row, request, end };
    });
    for (const { row } of ends) await store.commit(taskHold(row));
    // The line of the last submit was lost with its process: the end writes it.
    for (const { request } of ends.slice(0, 2)) await store.commit({ kind: 'log', request });
    await Promise.all([...ends, ...ends].map(({ end }) => store.commit(end)));
    const read = async () => (await call('GET', `/usage?from=${AT}&to=${AT + DAY}&by=model`)).body.data;
    const [sums] = await read();
    const seen = [sums.model, sums.requests, sums.amount, sums.seconds, sums.total_ms, sums.errors];
    assert.deepEqual(seen, ['video-1', 3, '0.00000014', 10, 30, 0]);

    const words = store.dialect === 'sqlite' ? sqliteWords : postgresWords;
    const undo =
      store.dialect === 'sqlite'
        ? ['drop trigger usage_sums_followed']
        : ['drop trigger usage_sums_followed on requests', 'drop function usage_sums_follow'];
    await store.transaction(async (transaction) => {
      for (const statement of [...undo, 'update usage_sums set amount = 1', ...usageOfLaterCharges.statements(words)])
        await sql.raw(statement).execute(transaction);
    });
    assert.deepEqual(await read(), [sums], 'those that were charged before the sums could follow are counted too');
  });

  test('lines that were there before the sums are counted when they are made', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    for (const more of [{}, {}, { model: 'b' }]) await store.commit({ kind: 'log', request: line(more) });
    const words = store.dialect === 'sqlite' ? sqliteWords : postgresWords;
    const undo =
      store.dialect === 'sqlite'
        ? ['drop trigger usage_sums_kept', 'drop table usage_sums']
        : ['drop trigger usage_sums_kept on requests', 'drop function usage_sums_keep', 'drop table usage_sums'];
    await store.transaction(async (transaction) => {
      for (const statement of [...undo, ...usageSums.statements(words)]) await sql.raw(statement).execute(transaction);
    });
    await store.commit({ kind: 'log', request: line() });
    const { data } = (await call('GET', `/usage?from=${AT}&to=${AT + DAY}&by=model`)).body;
    const seen = data.map((row: { model: string; requests: number; amount: string }) => [
      row.model,
      row.requests,
      row.amount,
    ]);
    assert.deepEqual(seen, [
      ['a', 3, '4.5'],
      ['b', 1, '1.5'],
    ]);
  });

  test('usage is the same before and after its table is divided, also to a gateway that runs meanwhile', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const postgres = store.dialect === 'postgres';
    const read = async (from: number) => {
      const whole = (await call('GET', `/usage?from=${from}&to=${from + 70 * DAY}&bucket=day`)).body.data;
      return [...whole, ...(await call('GET', `/usage?from=${from}&to=${from + 70 * DAY}&by=model`)).body.data];
    };
    const run = (statements: string[]) =>
      store.transaction(async (transaction) => {
        for (const statement of statements) await sql.raw(statement).execute(transaction);
      });
    // Back to the one table that was there before.
    if (postgres)
      await run([
        'create table plain_sums (like usage_sums including indexes)',
        'drop table usage_sums',
        'alter table plain_sums rename to usage_sums',
        'alter index plain_sums_pkey rename to usage_sums_pkey',
      ]);
    const future = Math.floor(Date.now() / 1000 / DAY) * DAY + 35 * DAY;
    const times = [AT, AT + 3 * HOUR, AT + 40 * DAY, future];
    const add = () =>
      Promise.all(
        times.map((created_at) =>
          store.commit({ kind: 'log', request: line({ created_at, model: `m${created_at}` }) }),
        ),
      );
    await add();
    const before = [await read(AT), await read(future)];
    assert.deepEqual(
      before.map((rows) => rows.length),
      [5, 2],
    );
    await run(usagePartitions.statements(postgres ? postgresWords : sqliteWords));
    assert.deepEqual([await read(AT), await read(future)], before);

    await add(); // by the connection that knew the table as it was
    await run([`update requests set charge = charge + 1000000000 where created_at in (${AT}, ${future})`]);
    const doubled = (rows: { bucket: number; requests: number; amount: string }[]) =>
      rows.map((row) => [row.bucket, row.requests * 2, Number(row.amount) * 2]);
    const now = [...(await read(AT)), ...(await read(future))];
    const late = now.map((row) => [
      row.bucket,
      row.requests,
      Number(row.amount) - (row.bucket === AT || row.bucket === future ? 2 : 0),
    ]);
    assert.deepEqual(late, doubled(before.flat()));
  });

  test('an absurd count from an upstream neither breaks the log nor the sums', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await store.commit({ kind: 'log', request: line({ usage: '{"input_tokens":1e300,"output_tokens":1}' }) });
    const { data } = (await call('GET', `/usage?from=${AT}&to=${AT + DAY}`)).body;
    assert.deepEqual([data[0].input_tokens, data[0].output_tokens], [1e12, 1]);
  });

  test('pages go on where the one before ended, and ranges are checked', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    for (const model of ['a', 'b', 'c']) await store.commit({ kind: 'log', request: line({ model }) });
    await store.commit({ kind: 'log', request: line({ model: 'a', created_at: AT + HOUR }) });
    const seen: string[] = [];
    let cursor = '';
    do {
      const path = `/usage?from=${AT}&to=${AT + DAY}&by=model&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = (await call('GET', path)).body;
      seen.push(...page.data.map((row: { bucket: number; model: string }) => `${row.model}${row.bucket - AT}`));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    assert.deepEqual(seen, ['a0', 'b0', 'c0', 'a3600']);
    const wrong: [string, string][] = [
      ['from=10&to=10', 'from'],
      ['from=0&to=1760000000&bucket=hour', 'from'],
      ['by=operator', 'by'],
      ['bucket=week', 'bucket'],
      ['cursor=x', 'cursor'],
      ['user=1', 'user'],
    ];
    for (const [query, param] of wrong) {
      const { status, body } = await call('GET', `/usage?${query}`);
      assert.deepEqual([status, body.error.param], [400, param], query);
    }
    assert.equal((await call('GET', '/usage')).status, 200);
  });
});
