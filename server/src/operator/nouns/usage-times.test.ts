import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIdAt } from '../../shared/ids.ts';
import { percentile } from '../../store/queries/request-times.ts';
import type { RequestsTable } from '../../store/tables.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

const AT = START / 1000 - 3600;

function line(number: number, more: Partial<RequestsTable> = {}): RequestsTable {
  return {
    id: `${firstIdAt('req', (AT + number) * 1000)}x`,
    account_id: 'acc_1',
    token_id: 'tok_1',
    group_name: 'default',
    endpoint: '/v1/chat/completions',
    model: 'a',
    channel_id: 'chn_1',
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: number,
    total_ms: number * 123,
    usage: null,
    usage_source: null,
    charge: 0n,
    arithmetic: null,
    mode: 'live',
    created_at: AT + number,
    ...more,
  };
}

onEveryStore((open) => {
  test('percentiles are those of the requests in the range, to three digits', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const lines = Array.from({ length: 100 }, (_, index) => line(index + 1));
    const others = [line(101, { mode: 'test' }), line(102, { model: 'b', first_byte_ms: null, total_ms: 1_234_567 })];
    await Promise.all([...lines, ...others].map((request) => store.commit({ kind: 'log', request })));
    const times = async (query: string) => (await call('GET', `/usage/times?${query}`)).body;
    const { first_byte_ms, total_ms } = await times('mode=live&model=a');
    assert.deepEqual(first_byte_ms, { p50: 50, p95: 95, p99: 99 });
    assert.deepEqual(total_ms, { p50: 6_150, p95: 11_600, p99: 12_100 }, '6150, 11685 and 12177 ms');
    const b = await times('model=b');
    assert.deepEqual([b.first_byte_ms.p50, b.total_ms.p50], [null, 1_234_000]);
    assert.deepEqual((await times(`model=a&mode=live&to=${AT + 11}`)).first_byte_ms, { p50: 5, p95: 10, p99: 10 });
    assert.deepEqual((await times('channel_id=none')).total_ms, { p50: null, p95: null, p99: null });
  });

  test('a range of more than a day is refused by name', async () => {
    const { call } = await makeOperatorApp(await open());
    for (const query of [`from=${AT - 86_401}&to=${AT}`, `from=${AT}&to=${AT}`]) {
      const { status, body } = await call('GET', `/usage/times?${query}`);
      assert.deepEqual([status, body.error.param], [400, 'from']);
    }
  });
});

test('a percentile is a time that some request took', () => {
  const counts = [
    { ms: 1, requests: 1 },
    { ms: 9, requests: 1 },
  ];
  assert.deepEqual(
    [0.5, 0.51, 0.99, 1].map((share) => percentile(counts, share)),
    [1, 9, 9, 9],
  );
  assert.equal(percentile([], 0.5), null);
});
