// What SQLite calls things.
import type { LedgerWords } from '../ledger/statements.ts';
import { addOnConflict, addToSums, type DialectWords, namesOf } from '../migrations/migration.ts';

/** No upstream's nonsense may overflow a sum. */
const LARGEST_COUNT = 1e12;

export const sqliteWords: DialectWords = {
  id: 'text',
  money: 'bigint',
  time: 'integer',
  bytes: 'blob',
  byKey: 'without rowid',
  serial: 'integer primary key autoincrement',
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (action) =>
        `create trigger ${table}_no_${action} before ${action} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    ),
  jsonNumber: (column, field, factor = 1) =>
    `cast(min(coalesce(json_extract(${column}, '$.${field}') * ${factor}, 0), ${LARGEST_COUNT}) as integer)`,
  wholeHour: (column) => `${column} - ${column} % 3600`,
  keepSums: (sums) => {
    const columns = [...sums.keys, ...sums.sums];
    const values = columns.map(({ of }) => of.replaceAll('entry.', 'new.')).join(', ');
    return [
      `create trigger ${sums.into}_kept after insert on ${sums.from} begin
        insert into ${sums.into} (${namesOf(columns)}) values (${values}) ${addOnConflict(sums)}; end`,
      addToSums(sums, sums.from),
    ];
  },
  timePartitions: () => [],
  tellInserts: () => [],
  inbox: (table) => [`create table ${table} (id integer primary key, operations text not null)`],
  followSums: (sums) => {
    const add = (row: 'new' | 'old', sign: '' | '-') => {
      const of = (text: string) => text.replaceAll('entry.', `${row}.`);
      const values = [...sums.keys.map((key) => of(key.of)), ...sums.sums.map((sum) => `${sign}(${of(sum.of)})`)];
      return `insert into ${sums.into} (${namesOf([...sums.keys, ...sums.sums])}) values (${values.join(', ')}) ${addOnConflict(sums)};`;
    };
    return [
      `create trigger ${sums.into}_followed after update on ${sums.from} begin ${add('new', '')} ${add('old', '-')} end`,
    ];
  },
};

/** Rows are read and written one by one: a prepared statement costs less here than unfolding JSON does. */
export const sqliteLedgerWords: LedgerWords = {
  texts: '?',
  lock: '', // `begin immediate` already keeps other writers out
  // To undo one statement alone, SQLite would keep a copy of every page it touches; a refused batch is undone as a whole.
  insert: (table, columns) =>
    `insert or rollback into ${table} (${columns.map(([name]) => name).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  // The row's name comes first in the values and last in the statement, hence the numbers.
  update: (table, [key, ...columns]) =>
    `update ${table} set ${columns.map(([name], index) => `${name} = ?${index + 2}`).join(', ')} where ${key?.[0]} = ?1`,
  remove: (table) => `delete from ${table} where id = ?`,
};
