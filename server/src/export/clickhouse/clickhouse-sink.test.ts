import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startClickHouseStub } from '../testing/clickhouse-server.ts';
import { ledgerBatch, ledgerLine, requestBatch, requestLine } from '../testing/lines.ts';
import { ClickHouseClient } from './client.ts';
import { ClickHouseSink } from './clickhouse-sink.ts';
import { lineOf } from './tables.ts';

const LOGIN = { user: 'ana', password: 'hunter 22' };

async function open(t: TestContext, password = LOGIN.password) {
  const server = await startClickHouseStub(LOGIN);
  const client = new ClickHouseClient(
    { origin: `http://${server.url}`, ...LOGIN, password, database: 'data' },
    () => undefined,
  );
  const sink = new ClickHouseSink('clickhouse', client);
  t.after(async () => {
    sink.close();
    await server.stop();
  });
  return { server, sink };
}

test('it makes its tables and inserts the rows of a batch (contract-2 12)', async (t) => {
  const { server, sink } = await open(t);
  await sink.prepare();
  assert.equal(server.statements.filter((statement) => statement.startsWith('CREATE TABLE IF NOT EXISTS')).length, 2);
  await sink.write(ledgerBatch([ledgerLine(1n, 5n), ledgerLine(2n, 6n)]));
  await sink.write(requestBatch([requestLine('req_1', 3n, 7n)]));
  const [request] = server.rows.get('tollgate_requests') ?? [];
  assert.deepEqual([request?.['id'], request?.['attempts'], request?.['usage']], ['req_1', '[]', '{"input_tokens":3}']);
  assert.equal(server.rows.get('tollgate_ledger')?.length, 2);
});

test('a batch that may be there already adds only what is missing, so no sum counts it twice (contract-2 12)', async (t) => {
  const { server, sink } = await open(t);
  const [first, second, third] = [ledgerLine(1n, 5n), ledgerLine(2n, 6n), ledgerLine(3n, 7n)];
  await sink.write(ledgerBatch([first, second]));
  await sink.write(ledgerBatch([first, second, third], true));
  const ids = server.rows.get('tollgate_ledger')?.map(({ id }) => id);
  assert.deepEqual(ids, [1, 2, 3]);
});

test('amounts are numbers with all their digits (promise M-15)', () => {
  const line = lineOf('ledger', ledgerLine(9_007_199_254_740_991n, -4_000_000_000_000_000_001n));
  assert.match(line, /"id":9007199254740991,"amount":-4000000000\.000000001,"balance_after":0\.000000005\}$/);
  assert.match(lineOf('requests', requestLine('req_1', 1n, 1n)), /"charge":0\.000000001\}$/);
});

test('an error has the words of the server and never the password (promise A-03)', async (t) => {
  const { sink } = await open(t, 'wrong');
  await assert.rejects(sink.prepare(), /^Error: ClickHouse answered 401: Code: 193/);
  const { server, sink: good } = await open(t);
  await server.stop();
  await assert.rejects(good.prepare(), (error: Error) => !String(error).includes(LOGIN.password));
});
