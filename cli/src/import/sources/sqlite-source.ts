// A SQLite file, opened for reading only.
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../refused.ts';
import { type Source, whole } from './source.ts';

export function openSqlite(path: string): Source {
  const database = open(path);
  const columns = (table: string): string[] =>
    database
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
  return {
    columns: async (table) => columns(table),
    rows: async (table) =>
      columns(table).length === 0 ? [] : database.prepare(`select * from ${quoted(table)}`).all(),
    count: async (table) =>
      columns(table).length === 0
        ? 0
        : Number(database.prepare(`select count(*) as rows from ${quoted(table)}`).get()?.['rows']),
    sum: async (table, column) =>
      columns(table).includes(column)
        ? whole(
            database.prepare(`select cast(sum(${quoted(column)}) as text) as sum from ${quoted(table)}`).get()?.['sum'],
          )
        : 0n,
    close: async () => database.close(),
  };
}

function open(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    database.prepare('select count(*) from sqlite_master').get();
    return database;
  } catch (error) {
    throw new Refused(
      `${path}: ${(error as Error).message}. Copy the file while the program is stopped, and try again.`,
    );
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
