// Starting on an empty, a finished, a newer and a half-made database, on both stores (promise O-06, FT-29).
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import pg from 'pg';
import { addAccount } from '../../testing/fixtures.ts';
import { onEveryStoreSettings } from '../../testing/stores.ts';
import { openStore, type StoreSettings } from '../open-store.ts';
import { postgresWords } from '../postgres/sql-fragments.ts';
import { sqliteWords } from '../sqlite/sql-fragments.ts';
import { initial } from './0001-initial.ts';
import { migrations } from './index.ts';
import { migrate, type MigrationConnection } from './migrate.ts';
import type { DialectWords, Migration } from './migration.ts';

const second: Migration = { name: '9998-second', statements: () => ['create table second (id text primary key)'] };
const broken: Migration = {
  name: '9999-broken',
  statements: () => ['create table half_done (id text primary key)', 'create table half_done (id text primary key)'],
};

interface Plain extends MigrationConnection {
  words: DialectWords;
  close(): Promise<void>;
}

/** A connection with nothing of ours around it. */
async function connect({ databaseUrl, dataFolder }: StoreSettings): Promise<Plain> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataFolder, 'tollgate.db'), { timeout: 5_000 });
    return {
      words: sqliteWords,
      run: async (sql) => database.exec(sql),
      names: async (sql) =>
        database
          .prepare(sql)
          .all()
          .map((row) => String(row['name'])),
      close: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    words: postgresWords,
    run: (sql) => client.query(sql),
    names: async (sql) => (await client.query<{ name: string }>(sql)).rows.map((row) => row.name),
    close: () => client.end(),
  };
}

async function inTransaction<T>(connection: Plain, work: () => Promise<T>): Promise<T> {
  await connection.run('begin');
  try {
    const result = await work();
    await connection.run('commit');
    return result;
  } catch (error) {
    await connection.run('rollback');
    throw error;
  }
}

const tablesOf = ({ databaseUrl }: StoreSettings): string =>
  databaseUrl === undefined
    ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
    : `select tablename as name from pg_tables where schemaname = 'public' order by tablename`;

async function readNames(settings: StoreSettings, sql: string): Promise<string[]> {
  const connection = await connect(settings);
  try {
    return await connection.names(sql);
  } finally {
    await connection.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const opener = join(folder, 'open-store.mjs');
writeFileSync(
  opener,
  `import { openStore } from ${JSON.stringify(new URL('../open-store.ts', import.meta.url).href)};
  try {
    const store = await openStore({ databaseUrl: process.env.STORE_URL || undefined, dataFolder: process.env.STORE_FOLDER });
    await store.ping();
    await store.close();
    process.exit(0);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1; // and nothing that the store began may keep the process alive
  }`,
);
after(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that opens the store and ends: code 0, or 1 with the reason on stderr. */
function openElsewhere(settings: StoreSettings): ChildProcess {
  return spawn(process.execPath, [opener], {
    env: { ...process.env, STORE_URL: settings.databaseUrl ?? '', STORE_FOLDER: settings.dataFolder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function outcomeOf(child: ChildProcess): Promise<{ code: number | null; words: string }> {
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const hanging = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(hanging);
  return { code, words: words.trim() };
}

onEveryStoreSettings((makeSettings, dialect) => {
  test('three processes that open the same empty database at once all succeed, and one of them applied each change', async () => {
    for (let round = 0; round < 2; round++) {
      const settings = await makeSettings();
      const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(openElsewhere(settings))));
      for (const outcome of outcomes) assert.deepEqual(outcome, { code: 0, words: '' });
      assert.deepEqual(
        await readNames(settings, 'select name from migrations order by position'),
        migrations.map(({ name }) => name),
      );
    }
  });

  test('several stores of one process open the same empty database at once', async () => {
    const settings = await makeSettings();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(settings)));
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    assert.equal((await readNames(settings, 'select name from migrations')).length, migrations.length);
  });

  test('opening again changes nothing', async () => {
    const settings = await makeSettings();
    const first = await openStore(settings);
    await addAccount(first, { id: 'acc', balance: 5n });
    await first.close();
    const tables = await readNames(settings, tablesOf(settings));
    const again = await openStore(settings);
    const account = await again.reads.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    await again.close();
    assert.equal(account.balance, 5n);
    assert.deepEqual(await readNames(settings, tablesOf(settings)), tables);
    const connection = await connect(settings);
    assert.deepEqual(await migrate(connection, connection.words, migrations), []);
    await connection.close();
  });

  test('a database changed by a newer version is refused with a sentence that says so', async () => {
    const settings = await makeSettings();
    await (await openStore(settings)).close();
    const connection = await connect(settings);
    await connection.run(`insert into migrations (name, position) values ('9999-from-the-future', 9999)`);
    await connection.close();
    const { code, words } = await outcomeOf(openElsewhere(settings));
    assert.match(words, /newer version of Tollgate.*9999-from-the-future/);
    assert.equal(words.split('\n').length, 1);
    assert.equal(code, 1, 'the process ends by itself: a refused store leaves no thread and no connection behind');
  });

  test('changes are applied in order, each once, and only those that are missing', async () => {
    const settings = await makeSettings();
    const connection = await connect(settings);
    const apply = (list: Migration[]): Promise<string[]> =>
      inTransaction(connection, () => migrate(connection, connection.words, list));
    assert.deepEqual(await apply([initial]), ['0001-initial']);
    assert.deepEqual(await apply([initial, second]), ['9998-second']);
    assert.deepEqual(await apply([initial, second]), []);
    await assert.rejects(apply([initial]), /9998-second/);
    await connection.close();
  });

  test('a token of a member that was disabled before anybody noted by whom is the operator’s (contract-2 10)', async (t) => {
    const settings = await makeSettings();
    const connection = await connect(settings);
    t.after(() => connection.close());
    const until = migrations.findIndex(({ name }) => name === '0141-token-limits-set-by');
    await inTransaction(connection, () => migrate(connection, connection.words, migrations.slice(0, until)));
    await connection.run(`insert into accounts (id, name, group_name, status, balance, created_at)
      values ('acc', 'acc', 'default', 'active', 0, 1)`);
    for (const [id, status, memberId] of [
      ['a', 'disabled', `'mem'`],
      ['b', 'enabled', `'mem'`],
      ['c', 'disabled', 'null'],
    ])
      await connection.run(`insert into tokens (id, account_id, name, ip_allow, rate, mode, status, key_hint, used, held, created_at, member_id)
        values ('${id}', 'acc', '${id}', '[]', '{}', 'live', '${status}', 'sk', 0, 0, 1, ${memberId})`);
    await inTransaction(connection, () => migrate(connection, connection.words, migrations));
    const setters = `select coalesce(limits_set_by, '-') as name from tokens order by id`;
    assert.deepEqual(await connection.names(setters), ['{"status":"operator"}', '-', '-']);
  });

  test('a change that fails in its second statement leaves nothing of itself, and the next start succeeds', async () => {
    const settings = await makeSettings();
    const connection = await connect(settings);
    await assert.rejects(
      inTransaction(connection, () => migrate(connection, connection.words, [initial, second, broken])),
      /half_done/,
    );
    await connection.close();
    assert.deepEqual(await readNames(settings, tablesOf(settings)), []);
    const store = await openStore(settings);
    await store.ping();
    await store.close();
    assert.deepEqual(
      await readNames(settings, 'select name from migrations'),
      migrations.map(({ name }) => name),
    );
  });

  test('a connection lost in the middle of a change leaves nothing of it', async () => {
    const settings = await makeSettings();
    const connection = await connect(settings);
    await connection.run('begin');
    let statements = 0;
    const dying: MigrationConnection = {
      names: connection.names,
      run: async (sql) => {
        if (++statements > 8) throw new Error('the process is gone');
        return connection.run(sql);
      },
    };
    await assert.rejects(migrate(dying, connection.words, migrations), /is gone/);
    await connection.close();
    assert.deepEqual(await readNames(settings, tablesOf(settings)), []);
    await (await openStore(settings)).close();
  });

  test('a process killed while it starts is no obstacle to the next', async () => {
    const settings = await makeSettings();
    for (const delay of [250, 330, 400, 480]) {
      const child = openElsewhere(settings);
      const ended = outcomeOf(child);
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill('SIGKILL');
      await ended;
    }
    const store = await openStore(settings);
    await addAccount(store, { id: `acc-${dialect}` });
    await store.close();
    assert.deepEqual(
      await readNames(settings, 'select name from migrations order by position'),
      migrations.map(({ name }) => name),
    );
  });
});
