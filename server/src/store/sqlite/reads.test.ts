import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Kysely, sql } from 'kysely';
import { Mutex } from '../../shared/mutex.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { SqliteThread } from './connection.ts';
import { sqliteReadsDialect } from './kysely.ts';
import { SqliteReads } from './reads.ts';
import { sqliteWords } from './sql-fragments.ts';

/** Some tens of milliseconds on any machine. */
const LONG = `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 100000)
  select count(*) as count from counted`;

async function open(context: TestContext, idleMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const file = join(folder, 'some.db');
  const writer = new SqliteThread({ file, role: 'write' });
  const writing = new Mutex();
  const reads = new SqliteReads({ file, writer, writing, idleMs });
  context.after(async () => {
    await reads.close();
    await writer.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const statement of sqliteWords.inbox('ledger_inbox')) await writer.statement(statement, []);
  await writer.statement('create table words (word text)', []);
  await writer.statement("insert into words values ('one')", []);
  return { reads, writer, writing };
}

test('short reads need no thread of their own, and can change nothing', async (context) => {
  const { reads, writer } = await open(context, 60_000);
  const { rows } = await reads.statement('select word from words', []);
  assert.deepEqual(rows, [{ word: 'one' }]);
  await assert.rejects(reads.statement("insert into words values ('two') returning word", []), /not authorized/);
  const write = "insert into words values ('three')";
  await writer.statement(write, []); // which may still write
  await assert.rejects(reads.statement(write, []), /not authorized/);
  assert.equal((await reads.statement('select word from words', [])).rows.length, 2);
  assert.equal(reads.isAside, false);
});

test('a read that would wait long in the queue has a thread, which ends when idle and starts again', async (context) => {
  const { reads, writing } = await open(context, 50);
  for (let round = 0; round < 2; round++) {
    await writing.lock();
    const { rows } = await reads.statement('select word from words', []);
    assert.deepEqual([rows, reads.isAside], [[{ word: 'one' }], true]);
    await assert.rejects(reads.statement('delete from words', []), /not authorized/);
    writing.unlock();
    await waitUntil(() => !reads.isAside, 'the thread for reads did not end');
  }
  assert.equal((await reads.statement('select word from words', [])).rows.length, 1);
});

test('a statement that was long twice is kept away from the writes from then on', async (context) => {
  const { reads, writing } = await open(context, 60_000);
  await reads.statement(LONG, []);
  await reads.statement(LONG, []);
  assert.equal(reads.isAside, false);
  const again = reads.statement(LONG, []);
  assert.equal(await writing.lockWithin(0), true);
  writing.unlock();
  assert.deepEqual((await again).rows, [{ count: 100_000 }]);
  assert.equal(reads.isAside, true);
});

test('a transaction of reads sees one state, in either thread', async (context) => {
  const { reads, writer, writing } = await open(context, 60_000);
  const database = new Kysely<{ words: { word: string } }>({ dialect: sqliteReadsDialect(reads) });
  const count = () =>
    database.transaction().execute(async (transaction) => {
      const before = await transaction.selectFrom('words').select('word').execute();
      if (reads.isAside) await writer.statement("insert into words values ('more')", []);
      const { rows } = await sql`select word from words`.execute(transaction);
      return [before.length, rows.length];
    });
  assert.deepEqual(await count(), [1, 1]);
  assert.equal(await writing.lockWithin(0), true); // it was given back
  assert.deepEqual([await count(), reads.isAside], [[1, 1], true]);
  assert.deepEqual((await database.selectFrom('words').select('word').execute()).length, 2);
  await assert.rejects(
    database.transaction().execute((transaction) => sql`select * from nothing`.execute(transaction)),
    /nothing/,
  );
  assert.deepEqual(await count(), [2, 2]);
  writing.unlock();
});

test('after the end nobody waits for an answer', async (context) => {
  const { reads, writing } = await open(context, 60_000);
  await writing.lock();
  await reads.close();
  await assert.rejects(reads.statement('select 1', []), /closed/);
});
