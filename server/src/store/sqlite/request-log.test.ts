import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { addAccount, addToken, holdOperation, requestRow } from '../../testing/fixtures.ts';
import type { RequestRow } from '../ledger/operations.ts';
import { ledgerStatements, requestValues } from '../ledger/statements.ts';
import { migrations } from '../migrations/index.ts';
import { migrate } from '../migrations/migrate.ts';
import { SqlitePermits } from './permits.ts';
import { SqliteRequestLog } from './request-log.ts';
import { PreparedStatements } from './statements.ts';
import { sumUsage } from './usage-sums.ts';
import { sqliteLedgerWords, sqliteWords } from './sql-fragments.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const AT = 1_760_000_000;
const statements = ledgerStatements(sqliteLedgerWords);

async function openMemory(): Promise<DatabaseSync> {
  const database = new DatabaseSync(':memory:');
  const run = async (sql: string) => database.exec(sql);
  const names = async (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row['name']));
  await migrate({ run, names }, sqliteWords, migrations);
  return database;
}

async function openLog() {
  const database = await openMemory();
  const log = new SqliteRequestLog(database, new SqlitePermits(database));
  const add = (...rows: RequestRow[]) => log.add(statements.addRequests, rows.map(requestValues));
  return { database, add };
}

async function openFile(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const store = await openSqliteStore(folder);
  context.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, store };
}

function sumsOf(database: DatabaseSync): Record<string, unknown>[] {
  const read = database.prepare('select *, typeof(input_tokens) as type, typeof(amount) as money from usage_sums');
  read.setReadBigInts(true);
  return read.all();
}

const row = (id: string, more: Partial<RequestRow> = {}): RequestRow =>
  requestRow({ id, created_at: AT, usage: '{"input_tokens":3,"output_tokens":4}', charge: 5n, ...more });

/** As another program would write it. */
const numbered = (request: RequestRow) => [...requestValues(request), 1];

const few = fc.constantFrom('a', 'b', 'a\nb', 'ü"', '');
/** Not so far below zero that sums would leave the whole numbers, where the order of adding matters. */
const count = fc.oneof(
  fc.nat(),
  fc.maxSafeNat(),
  fc.double({ min: -1e12 }),
  fc.constantFrom(-1, 0, 1e12, 1e300, 0.29, 1.005, '12x', '7', true, null, [1], { a: 1 }),
);
const names = fc.constantFrom('input_tokens', 'output_tokens', 'seconds', 'images', 'reasoning_tokens', 'Größe');
const usageOf = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(names, value, { noNullPrototype: true }).map((usage) => JSON.stringify(usage));
const odd = fc.constantFrom(
  '{}',
  '[]',
  '3',
  'null',
  '"input_tokens"',
  ' { "input_tokens" : 3 } ',
  '{"input_tokens":1,"input_tokens":2}',
  '{"images":1,"images":null,"seconds":3}',
  '{"a":{"input_tokens":9},"output_tokens":2}',
  '{"a":"\\"input_tokens\\":9"}',
  '{"input_tokens":12345678901234567890}',
  '{"input_tokens":1e3,"seconds":1E2}',
  '{"input_tokens":-5}',
  '{"seconds":999999999,"images":1000000000}',
  '{"input_tokens":1,}',
  '{input_tokens:2}',
  '{"input\\u005ftokens":2}',
);
/** Refused by the database. */
const broken = fc.constantFrom('{"input_tokens":01}', '{"input_tokens":1,,}', 'not json', '', '{"input_tokens":1');
const usageText = fc.oneof(
  { weight: 60, arbitrary: usageOf(fc.nat()) },
  { weight: 60, arbitrary: usageOf(count) },
  { weight: 60, arbitrary: odd },
  { weight: 1, arbitrary: broken },
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const request: fc.Arbitrary<Partial<RequestRow>> = fc.record({
  account_id: few,
  token_id: few,
  group_name: few,
  model: orNull(few),
  channel_id: orNull(few),
  mode: fc.constantFrom('live' as const, 'test' as const),
  status: fc.constantFrom(200, 399, 400, 502),
  error_code: orNull(fc.constantFrom('model_not_found', 'upstream_error')),
  first_byte_ms: orNull(fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, 2e12))),
  total_ms: fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, 2e12)),
  charge: fc.oneof(fc.bigInt(0n, 10n ** 12n), fc.constantFrom(0n, -1n, 2n ** 53n + 1n)),
  created_at: fc.oneof(
    fc.nat({ max: 9 }).map((hours) => AT + hours * 1800),
    fc.constantFrom(-1, 0, 3599, 3600),
  ),
  usage: orNull(usageText),
});

test('the sums are those of the trigger, digit for digit, whatever the lines say', async () => {
  const counted = await openMemory();
  const trigger = new PreparedStatements(counted);
  const { database, add } = await openLog();
  let number = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(request, { minLength: 1, maxLength: 40, size: 'max' }), { maxLength: 3 }),
      (batches) => {
        for (const one of [counted, database]) one.exec('delete from usage_sums');
        for (const batch of batches) {
          const rows = batch.map((more) => row(`req_${number++}`, more));
          const expected = inTransaction(counted, () => trigger.writeRows(statements.addRequests, rows.map(numbered)));
          assert.equal(
            inTransaction(database, () => add(...rows)),
            expected,
          );
          assert.deepEqual(sumsOf(database), sumsOf(counted));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

function inTransaction(database: DatabaseSync, work: () => unknown): 'done' | 'refused' {
  database.exec('begin');
  try {
    work();
    database.exec('commit');
    return 'done';
  } catch {
    if (database.isTransaction) database.exec('rollback');
    return 'refused';
  }
}

test('what calls usually say is added up without the database, those of a key together', () => {
  const usual = [
    row('req_1'),
    row('req_2', { usage: null, status: 502, first_byte_ms: null }),
    row('req_3', { usage: '{"input_tokens":0,"output_tokens":7,"cached_input_tokens":2,"images":2}' }),
  ];
  const { rows, unusual } = sumUsage([...usual, row('req_4', { usage: '{"seconds":1.5}' })].map(requestValues));
  assert.deepEqual(
    rows.map((sums) => sums.slice(8, 15)),
    [
      [200, 2n, 0n, 3n, 11n, 0n, 2n],
      [502, 1n, 1n, 0n, 0n, 0n, 0n],
    ],
  );
  assert.deepEqual(unusual, ['req_4']);
});

test('keys stay apart, however their names are written', () => {
  const [one, other] = [
    row('req_1', { account_id: 'a\nb', token_id: 'c' }),
    row('req_2', { account_id: 'a', token_id: 'b\nc' }),
  ];
  assert.equal(sumUsage([one, other].map(requestValues)).rows.length, 2);
});

test('a line that is there is neither changed nor counted again, and several with such a one are refused', async () => {
  const { database, add } = await openLog();
  add(row('req_1'), row('req_2'));
  const once = sumsOf(database);
  add(row('req_1', { charge: 9n }));
  add(row('req_2'), row('req_1'));
  assert.deepEqual(sumsOf(database), once);
  assert.throws(() => add(row('req_1'), row('req_3')), /already/);
});

test('whatever else comes by the same connection is counted by the trigger', async () => {
  const { database, add } = await openLog();
  add(row('req_1'), row('req_2'), row('req_3'));
  const prepared = new PreparedStatements(database);
  prepared.writeRows(statements.addRequests, [row('req_4'), row('req_5')].map(numbered));
  prepared.writeRows(statements.chargeRequests, [row('req_5', { charge: 6n }), row('req_6')].map(numbered));
  add(row('req_7'), row('req_8'), row('req_9'));
  add(row('req_10'));
  const sums = sumsOf(database).map(({ requests, input_tokens, amount }) => [requests, input_tokens, amount]);
  assert.deepEqual(sums, [[10n, 30n, 51n]]);
});

test('lines sent again among new ones are counted once, and so are those that another program writes', async (context) => {
  const { store, folder } = await openFile(context);
  const ids = ['req_1', 'req_2', 'req_2', 'req_1', 'req_3'];
  await store.commit({ kind: 'log', request: row('req_1') });
  const results = await Promise.all(ids.map((id) => store.commit({ kind: 'log', request: row(id) })));
  assert.deepEqual(
    results,
    ids.map(() => 'logged'),
  );
  const other = new DatabaseSync(join(folder, 'tollgate.db'), { timeout: 5_000 }); // the tables may just be catching up
  new PreparedStatements(other).writeRows(statements.addRequests, [numbered(row('req_4'))]);
  other.close();
  const sums = await store.reads.selectFrom('usage_sums').select(['requests', 'input_tokens', 'amount']).execute();
  assert.deepEqual(sums, [{ requests: 4n, input_tokens: 12n, amount: 20n }]);
});

test('an operation that the tables refuse leaves nothing behind and takes none of its batch along', async (context) => {
  const { store } = await openFile(context);
  await addAccount(store, { id: 'acc', balance: 100n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const hold = (id: string, amount: bigint) => holdOperation({ id, account_id: 'acc', token_id: 'tok', amount });
  const outcomes = await Promise.allSettled([
    store.commit(hold('req_1', 10n)),
    store.commit(hold('req_2', -10n)),
    store.commit({ kind: 'log', request: row('req_broken', { usage: 'not json' }) }),
    store.commit({ kind: 'log', request: row('req_3') }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  const idsOf = async (table: 'holds' | 'requests') =>
    (await store.reads.selectFrom(table).select('id').execute()).map(({ id }) => id);
  assert.deepEqual([await idsOf('holds'), await idsOf('requests')], [['req_1'], ['req_3']]);
});
