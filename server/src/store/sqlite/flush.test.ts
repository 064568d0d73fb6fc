import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { waitUntil } from '../../testing/wait-until.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { SqliteFlush } from './flush.ts';

let folder: string;
let database: string;
/** Runs instead of each flush. */
let onFlush: () => Promise<void>;
let flushes: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-flush-'));
  database = join(folder, 'tollgate.db');
  writeFileSync(`${database}-wal`, 'frames');
  flushes = 0;
  onFlush = async () => {};
  const handle = await open(`${database}-wal`);
  mock.method(Object.getPrototypeOf(handle) as FileHandle, 'datasync', () => {
    flushes++;
    return onFlush();
  });
  await handle.close();
});

afterEach(() => {
  mock.restoreAll();
  rmSync(folder, { recursive: true });
});

describe('SqliteFlush', () => {
  test('many commits share one flush', async () => {
    const flush = new SqliteFlush(database);
    for (let commits = 0; commits < 100; commits++) flush.wrote();
    await waitUntil(() => flushes > 0, 'no flush');
    await wait(120);
    assert.equal(flushes, 1);
    await flush.close();
  });

  test('what is committed during a flush has one of its own', async () => {
    const flush = new SqliteFlush(database);
    const first = Promise.withResolvers<void>();
    onFlush = () => first.promise;
    flush.wrote();
    await waitUntil(() => flushes === 1, 'no flush');
    flush.wrote();
    await wait(120);
    assert.equal(flushes, 1, 'never two at once');
    first.resolve();
    await waitUntil(() => flushes === 2, 'no flush');
    await flush.close();
  });

  test('a log that is not there yet, or a disk that fails, harms nobody', async () => {
    rmSync(`${database}-wal`);
    const flush = new SqliteFlush(database);
    flush.wrote();
    await wait(120);
    assert.equal(flushes, 0);
    writeFileSync(`${database}-wal`, 'frames');
    onFlush = () => Promise.reject(new Error('EIO'));
    flush.wrote();
    await waitUntil(() => flushes === 1, 'no flush');
    onFlush = async () => {};
    flush.wrote();
    await waitUntil(() => flushes === 2, 'no flush');
    await flush.close();
  });

  test('close waits for a flush, and none comes after it', async () => {
    const flush = new SqliteFlush(database);
    const slow = Promise.withResolvers<void>();
    onFlush = () => slow.promise;
    flush.wrote();
    await waitUntil(() => flushes === 1, 'no flush');
    let isClosed = false;
    const closed = flush.close().then(() => (isClosed = true));
    flush.wrote();
    await wait(60);
    assert.equal(isClosed, false);
    slow.resolve();
    await closed;
    flush.wrote();
    await wait(120);
    assert.equal(flushes, 1);
  });

  test('what operators write is flushed too, what is only read is not', async () => {
    const store = await openSqliteStore(folder);
    try {
      await store.transaction(async (tables) => {
        await sql`create table notes (text text)`.execute(tables);
        await sql`insert into notes values ('a')`.execute(tables);
      });
      await waitUntil(() => flushes > 0, 'no flush');
      await wait(120);
      const before = flushes;
      await sql`select text from notes`.execute(store.reads);
      await wait(120);
      assert.equal(flushes, before);
    } finally {
      await store.close();
    }
  });
});
