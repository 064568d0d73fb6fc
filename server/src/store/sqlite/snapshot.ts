// A snapshot of the embedded database: a read transaction in WAL mode, begun when the ledger's inbox is empty.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  inOrderOfReferences,
  NOT_COPIED,
  ROWS_AT_ONCE,
  type Row,
  type Snapshot,
  type TableOfSnapshot,
} from '../copy/snapshot.ts';
import { SqliteThread } from './connection.ts';
import { requireSqliteStore } from './open-sqlite-store.ts';

/** A busy gateway fills the inbox all the time; it is empty for a moment many times a second. */
const TRIES = 2_000;

export async function openSqliteSnapshot(dataFolder: string): Promise<Snapshot> {
  await requireSqliteStore(dataFolder);
  const file = join(dataFolder, 'tollgate.db');
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  await beginWithEmptyInbox(file, database);
  const migrations = database.prepare('select name from migrations order by position').all();
  return {
    migrations: migrations.map((row) => String(row['name'])),
    tables: listTables(database),
    async *read(table) {
      yield* readRows(database, table);
    },
    close: async () => database.close(),
  };
}

async function beginWithEmptyInbox(file: string, database: DatabaseSync): Promise<void> {
  const writer = new SqliteThread({ file, role: 'write' });
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      await writer.catchUp();
      database.exec('begin');
      const waiting = database.prepare('select id from ledger_inbox limit 1').get();
      if (waiting === undefined) return;
      database.exec('rollback');
    }
    throw new Error('the gateway writes without a pause; try again when there is less traffic');
  } catch (error) {
    database.close();
    throw error;
  } finally {
    await writer.close();
  }
}

function listTables(database: DatabaseSync): TableOfSnapshot[] {
  const names = database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`)
    .all()
    .map((row) => String(row['name']))
    .filter((name) => !NOT_COPIED.has(name));
  return inOrderOfReferences(
    names.map((name) => ({
      name,
      columns: database
        .prepare(`select name from pragma_table_info('${name}')`)
        .all()
        .map((row) => String(row['name'])),
      rows: Number(database.prepare(`select count(*) as count from ${name}`).get()?.['count']),
    })),
  );
}

function* readRows(database: DatabaseSync, { name, columns }: TableOfSnapshot): Iterable<Row[]> {
  const statement = database.prepare(`select ${columns.join(', ')} from ${name}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let rows: Row[] = [];
  for (const row of statement.iterate()) {
    rows.push(row as unknown as Row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
