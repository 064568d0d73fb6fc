// Fills a new file beside the database's and puts it in its place when all is in it and on the disk.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type LoadOptions, LoadRefused, type LoadSource } from '../copy/load.ts';
import { migrations as newest } from '../migrations/index.ts';
import { migrate } from '../migrations/migrate.ts';
import { sqliteWords } from './sql-fragments.ts';

export async function loadSqlite(dataFolder: string, source: LoadSource, { force }: LoadOptions): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, 'tollgate.db');
  if (existsSync(file) && !force)
    throw new LoadRefused(`${file} exists; --force replaces it, and what is in it is lost`);
  const draft = `${file}.loading`;
  removeCompanions(draft); // of a load that was ended
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'a', 0o600));
  const database = new DatabaseSync(draft, { enableForeignKeyConstraints: false });
  try {
    database.exec('pragma journal_mode = off; pragma synchronous = off');
    await fill(database, source);
    database.exec('pragma journal_mode = delete'); // the gateway makes it a WAL again
  } finally {
    database.close();
  }
  flush(draft);
  // What was there is whole in its own file: it was closed before. A log of it must not meet the new file.
  removeCompanions(file);
  renameSync(draft, file);
  flush(dataFolder);
}

async function fill(database: DatabaseSync, { migrations, tables }: LoadSource): Promise<void> {
  const connection = {
    run: async (sql: string) => database.exec(sql),
    names: async (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => String(row['name'])),
  };
  database.exec('begin');
  await migrate(connection, sqliteWords, migrations);
  // Sums are rows of the snapshot: nothing may be added to them while it is read.
  const triggers = database.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) database.exec(`drop trigger ${name}`);
  for await (const { table, rows } of tables()) {
    database.exec(`delete from ${table.name}`); // what a migration has put in
    const parameters = table.columns.map(() => '?').join(', ');
    const insert = database.prepare(`insert into ${table.name} (${table.columns.join(', ')}) values (${parameters})`);
    for await (const some of rows) for (const row of some) insert.run(...(row as SQLInputValue[]));
  }
  for (const { sql } of triggers) database.exec(sql);
  await migrate(connection, sqliteWords, newest);
  database.exec('commit');
}

function removeCompanions(file: string): void {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
