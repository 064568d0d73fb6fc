// What SQLite calls things.
import type { LedgerWords } from '../ledger/statements.ts';
import type { DialectWords } from '../migrations/migration.ts';

export const sqliteWords: DialectWords = {
  id: 'text',
  money: 'bigint',
  time: 'integer',
  byKey: 'without rowid',
  serial: 'integer primary key autoincrement',
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (action) =>
        `create trigger ${table}_no_${action} before ${action} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    ),
  dayParts: () => [],
  tellInserts: () => [],
};

/** Rows are written one by one: a prepared statement costs less here than unfolding JSON does. */
export const sqliteLedgerWords: LedgerWords = {
  texts: 'select value from json_each(?)',
  lock: '', // `begin immediate` already keeps other writers out
  insert: (table, columns) =>
    `insert into ${table} (${columns.map(([name]) => name).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  // The row's name comes first in the values and last in the statement, hence the numbers.
  update: (table, [key, ...columns]) =>
    `update ${table} set ${columns.map(([name], index) => `${name} = ?${index + 2}`).join(', ')} where ${key?.[0]} = ?1`,
  remove: (table) => `delete from ${table} where id = ?`,
};
