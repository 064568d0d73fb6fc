// A store that was filled is the same as one that was migrated and written to: every value, every index, every trigger.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { makeDatabase, onEveryStoreSettings } from '../../testing/stores.ts';
import { migrations } from '../migrations/index.ts';
import { openStore } from '../open-store.ts';
import { loadStore, openSnapshot } from './copy-store.ts';
import { LoadRefused, type LoadSource } from './load.ts';
import type { Row, TableOfSnapshot } from './snapshot.ts';

const BEYOND_NUMBERS = 9_007_199_254_740_993n;

/** So many that indexes are made when the rows are there; the number is what the source says, not what it gives. */
const MANY = 1_000_000;

const audit = (id: bigint, texts: [string, string, string, string], detail: string): Row => [id, ...texts, detail, 1];
const AUDIT_ROWS: Row[] = [
  audit(1n, ['', 'a\tb', 'a\nb', 'a\r\nb'], '\\N'),
  audit(2n, ['\\', '\\.', '\\t', '😀 中文'], '{"text":"a\\nb\\"c"}'),
  audit(BEYOND_NUMBERS, ["it's", '"quoted"', ' spaces ', 'x'.repeat(100_000)], ''),
];
const LEDGER_ROWS: Row[] = [
  [7n, 'credit', 'acc_1', null, BEYOND_NUMBERS, 5n, 'live', 1_790_000_000],
  [9n, 'settle', 'acc_1', 'req_1', 4n, -5n, 'live', 1_790_000_001.25],
];

const TABLES: { table: TableOfSnapshot; rows: Row[] }[] = [
  {
    table: {
      name: 'audit',
      columns: ['id', 'operator', 'action', 'resource', 'resource_id', 'detail', 'created_at'],
      rows: MANY,
    },
    rows: AUDIT_ROWS,
  },
  {
    table: {
      name: 'ledger',
      columns: ['id', 'kind', 'account_id', 'hold_id', 'amount', 'balance_after', 'mode', 'created_at'],
      rows: MANY,
    },
    rows: LEDGER_ROWS,
  },
  {
    table: {
      name: 'kept_responses',
      columns: ['account_id', 'id', 'model', 'mode', 'sealed', 'used_at'],
      rows: 1,
    },
    rows: [['acc_1', 'resp_1', 'm', 'live', Buffer.from([0, 92, 255, 9, 10]), 1]],
  },
  // In partitions, and without a row.
  { table: { name: 'requests', columns: ['id'], rows: MANY }, rows: [] },
  // Others refer to them.
  { table: { name: 'accounts', columns: ['id'], rows: MANY }, rows: [] },
];

const source = (tables = TABLES): LoadSource => ({
  migrations,
  async *tables() {
    for (const { table, rows } of tables) yield { table, rows: inBatches(rows) };
  },
});

async function* inBatches(rows: Row[]): AsyncGenerator<Row[]> {
  for (const row of rows) yield [row];
}

onEveryStoreSettings((makeSettings, dialect, atEnd) => {
  const makeTarget = async () => {
    if (dialect === 'postgres') return makeSettings();
    const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    atEnd(() => rmSync(dataFolder, { recursive: true, force: true }));
    return { databaseUrl: undefined, dataFolder };
  };

  test('contract-2 11: every value arrives as it was: signs of the wire, large numbers, empty texts', async () => {
    const target = await makeTarget();
    await loadStore(target, source(), { force: false, onStage: () => {} });
    const snapshot = await openSnapshot(target);
    for (const { table, rows } of TABLES) {
      const found: Row[] = [];
      for await (const some of snapshot.read(table)) found.push(...some);
      assert.deepEqual(plain(found), plain(rows), table.name);
    }
    await snapshot.close();
    await assert.rejects(loadStore(target, source(), { force: false, onStage: () => {} }), LoadRefused);
  });

  test('contract-2 11: a row that cannot be written ends the load, and nothing of it is there', async () => {
    const target = await makeTarget();
    const broken = source([
      ...TABLES.slice(0, 1),
      {
        table: { name: 'ledger', columns: ['id', 'kind', 'amount'], rows: MANY },
        rows: [[1n, 'credit', null]],
      },
    ]);
    await assert.rejects(loadStore(target, broken, { force: false, onStage: () => {} }), /null/i);
    await assert.rejects(openSnapshot(target), { name: 'StoreMissing' });
    await loadStore(target, source(), { force: false, onStage: () => {} });
  });

  if (dialect !== 'postgres') return;
  test('contract-2 11: a loaded database has the same indexes, constraints, triggers and counters as a migrated one', async () => {
    const target = await makeTarget();
    await loadStore(target, source(), { force: false, onStage: () => {} });
    const migrated = { ...target, databaseUrl: await makeDatabase(process.env['TEST_DATABASE_URL'] ?? '') };
    await (await openStore(migrated)).close();
    await (await openStore(target)).close();
    assert.deepEqual(await describeSchema(target.databaseUrl ?? ''), await describeSchema(migrated.databaseUrl));
    const rows = await ask(
      target.databaseUrl ?? '',
      `insert into ledger (kind, account_id, amount, balance_after, mode, created_at)
       values ('credit', 'acc_1', 1, 1, 'live', 1) returning id`,
    );
    assert.deepEqual(rows, [{ id: '10' }]);
  });
});

/** Bytes and whole numbers as text: the engines give them in other types. */
function plain(rows: Row[]): string[][] {
  return rows
    .map((row) =>
      row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))),
    )
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

/** Indexes of partitions have names that the server chose. */
async function describeSchema(address: string): Promise<string[]> {
  const rows = await ask(
    address,
    `select line from (
       select case when c.relispartition then c.relname || ': ' || regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+', '')
         else pg_get_indexdef(i.indexrelid) end || ' valid ' || i.indisvalid as line
       from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
       union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
       union all select pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal) as all_of_it
     order by line collate "C"`,
  );
  return rows.map(({ line }) => line ?? '');
}

async function ask(address: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    await client.end();
  }
}
