import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { postgresWords } from '../../store/postgres/sql-fragments.ts';
import { sqliteWords } from '../../store/sqlite/sql-fragments.ts';
import { usageSums } from '../../store/migrations/0020-usage-sums.ts';
import { noteRun } from '../../store/queries/gateway-runs.ts';
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

  test('an absurd count from an upstream neither breaks the log nor the sums', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await store.commit({ kind: 'log', request: line({ usage: '{"input_tokens":1e300,"output_tokens":1}' }) });
    const { data } = (await call('GET', `/usage?from=${AT}&to=${AT + DAY}`)).body;
    assert.deepEqual([data[0].input_tokens, data[0].output_tokens], [1e12, 1]);
  });

  test('usage is by provider, endpoint, status and mode too, with names, and only of chosen keys (issue 34 point 3)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1', name: 'Northwind', balance: 1000n });
    const made = async (name: string, provider: string): Promise<string> => {
      const body = { name, provider, base_url: 'http://127.0.0.1:9', keys: ['sk-12345678'], models: { a: 'a' } };
      return (await call('POST', '/channels', body)).body.id;
    };
    const [one, other] = [await made('one', 'openai'), await made('two', 'anthropic')];
    const rows = [
      line({ channel_id: one }),
      line({ channel_id: one, endpoint: '/v1/messages', status: 429, error_code: 'rate_limit_exceeded', charge: 0n }),
      line({ channel_id: other, endpoint: '/v1/messages', charge: 7n }),
      line({ channel_id: 'chn_gone', mode: 'test', charge: 2_000_000_000n }),
      line({ channel_id: null, model: null, endpoint: '/invented/by/a/caller', status: 404, charge: 0n }),
    ];
    for (const request of rows) await store.commit({ kind: 'log', request });
    const usage = async (query: string) =>
      (await call('GET', `/usage?from=${AT}&to=${AT + DAY}&bucket=all&${query}`)).body.data as Record<
        string,
        unknown
      >[];
    const named = async (by: string, more = '') =>
      (await usage(`by=${by}${more}`)).map((row) => [row[by], row['requests']]);
    assert.deepEqual(await named('provider'), [
      ['', 2],
      ['anthropic', 1],
      ['openai', 2],
    ]);
    assert.deepEqual(await named('endpoint'), [
      ['', 1],
      ['/v1/chat/completions', 2],
      ['/v1/messages', 2],
    ]);
    assert.deepEqual(await named('status'), [
      ['200', 3],
      ['404', 1],
      ['429', 1],
    ]);
    assert.deepEqual(await named('mode'), [
      ['live', 4],
      ['test', 1],
    ]);
    assert.deepEqual(await named('status', '&provider=openai'), [
      ['200', 1],
      ['429', 1],
    ]);
    assert.deepEqual(await named('endpoint', '&failed=true&status=429'), [['/v1/messages', 1]]);
    assert.deepEqual(await named('provider', '&only=openai&only=anthropic&endpoint=/v1/messages&failed=false'), [
      ['anthropic', 1],
    ]);
    const accounts = await usage('by=account&rank=requests');
    assert.deepEqual(
      accounts.map(({ account, name }) => [account, name]),
      [['acc_1', 'Northwind']],
    );
    const channels = await usage('by=channel&rank=amount');
    assert.deepEqual(
      channels.map(({ name }) => name),
      [null, 'one', 'two', null],
    );
    const bad: [string, string][] = [
      ['by=model&rank=amount', 'rank'],
      ['bucket=all&only=a', 'only'],
      ['bucket=all&zone=Mars/Olympus', 'zone'],
      ['bucket=day&zone=%2B05:17', 'zone'], // sums are kept by quarters of an hour
      ['bucket=day&zone=-0007', 'zone'],
    ];
    for (const [query, param] of bad) {
      const { status, body } = await call('GET', `/usage?${query}`);
      assert.deepEqual([status, body.error.param], [400, param], query);
    }
  });

  test('the largest come first, page by page, by each measure (issue 34 point 3)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const costs: [string, bigint, number][] = [
      ['a', 5n, 1],
      ['b', 30n, 2],
      ['c', 5n, 3],
      ['d', 9_000_000_000_000_000n, 1],
    ];
    for (const [model, charge, times] of costs)
      for (let index = 0; index < times; index++)
        await store.commit({ kind: 'log', request: line({ model, charge, ...(model === 'a' && { status: 500 }) }) });
    for (const [rank, expected] of [
      ['amount', 'dbca'],
      ['requests', 'cbad'],
      ['errors', 'abcd'],
      ['tokens', 'cbad'],
    ]) {
      let seen = '';
      let cursor = '';
      do {
        const page = await call(
          'GET',
          `/usage?from=${AT}&to=${AT + DAY}&bucket=all&by=model&rank=${rank}&limit=1${cursor}`,
        );
        seen += page.body.data[0].model;
        cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
      } while (cursor !== '');
      assert.equal(seen, expected, rank);
    }
  });

  test('days and hours are those of the time zone, also where clocks are changed and offsets are odd (issue 34 point 3)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const at = (text: string): number => Date.parse(text) / 1000;
    const days = async (zone: string, times: string[], bucket = 'day'): Promise<string[]> => {
      const model = `of ${zone} ${bucket}`;
      for (const time of times) await store.commit({ kind: 'log', request: line({ model, created_at: at(time) }) });
      const [from, to] = [at(times[0] ?? ''), at(times.at(-1) ?? '') + 1];
      const query = new URLSearchParams({ from: `${from}`, to: `${to}`, bucket, zone, model });
      const { data } = (await call('GET', `/usage?${query.toString()}`)).body;
      const text = (row: { bucket: number; requests: number }) =>
        `${new Date(row.bucket * 1000).toISOString().slice(0, 16)} ${row.requests}`;
      return data.map(text);
    };
    // Clocks go back on 26 October 2025 at 01:00 UTC: a day of 25 hours.
    const berlin = ['2025-10-25T21:59:59Z', '2025-10-25T22:00:00Z', '2025-10-26T22:59:59Z', '2025-10-26T23:00:00Z'];
    assert.deepEqual(await days('Europe/Berlin', berlin), [
      '2025-10-24T22:00 1',
      '2025-10-25T22:00 2',
      '2025-10-26T23:00 1',
    ]);
    const twice = ['2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z'];
    assert.deepEqual(await days('Europe/Berlin', twice, 'hour'), ['2025-10-26T00:00 1', '2025-10-26T01:00 1']);
    // Midnight does not exist in Santiago on 7 September 2025.
    const santiago = ['2025-09-07T03:59:59Z', '2025-09-07T04:00:00Z', '2025-09-08T02:59:59Z', '2025-09-08T03:00:00Z'];
    assert.deepEqual(await days('America/Santiago', santiago), [
      '2025-09-06T04:00 1',
      '2025-09-07T04:00 2',
      '2025-09-08T03:00 1',
    ]);
    const kolkata = ['2025-10-01T18:29:59Z', '2025-10-01T18:30:00Z'];
    assert.deepEqual(await days('Asia/Kolkata', kolkata), ['2025-09-30T18:30 1', '2025-10-01T18:30 1']);
    assert.deepEqual(await days('+05:30', kolkata, 'hour'), ['2025-10-01T17:30 1', '2025-10-01T18:30 1']);
    const kathmandu = ['2025-10-01T18:14:59Z', '2025-10-01T18:15:00Z'];
    assert.deepEqual(await days('Asia/Kathmandu', kathmandu), ['2025-09-30T18:15 1', '2025-10-01T18:15 1']);
    assert.deepEqual(await days('America/New_York', ['2025-10-02T03:59:59Z', '2025-10-02T04:00:00Z']), [
      '2025-10-01T04:00 1',
      '2025-10-02T04:00 1',
    ]);
  });

  test('times without any process of the gateway are outages, from the first run on (issue 34 point 3)', async () => {
    const store = await open();
    const { call, clock } = await makeOperatorApp(store);
    const now = Math.floor(clock.now() / 1000);
    const outages = async () => (await call('GET', `/usage/outages?from=${now - 9000}&to=${now + 9000}`)).body.data;
    assert.deepEqual(await outages(), [], 'nothing is known');
    const runs: [string, number, number][] = [
      ['a', now - 8000, now - 6000],
      ['b', now - 7000, now - 5000],
      ['c', now - 4970, now - 4000],
      ['d', now - 3000, now - 20],
    ];
    for (const [id, started, seen] of runs) for (const at of [started, seen]) await noteRun(store, id, at);
    assert.deepEqual(await outages(), [{ from: now - 4000, to: now - 3000 }]);
    const late = (await call('GET', `/usage/outages?from=${now - 3500}&to=${now - 3100}`)).body.data;
    assert.deepEqual(late, [{ from: now - 3500, to: now - 3100 }]);
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
      ['from=0&to=9000000000&bucket=day', 'from'],
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

  test('days and totals from the second 0 are those of all time (contract 2)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    for (const days of [0, 10]) await store.commit({ kind: 'log', request: line({ created_at: AT + days * DAY }) });
    const amounts = async (query: string): Promise<string[]> => {
      const { status, body } = await call('GET', `/usage?from=0&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map(({ amount }: { amount: string }) => amount);
    };
    assert.deepEqual(await amounts('bucket=day'), ['1.5', '1.5']);
    assert.deepEqual(await amounts(`bucket=day&to=${AT + 21 * DAY}&zone=Asia/Shanghai`), ['1.5', '1.5']);
    assert.deepEqual(await amounts('bucket=all'), ['3']);
  });
});
