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
  wholeQuarter: (column) => `${column} - ${column} % 900`,
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
  divideLedger: () => [],
  tellInserts: () => [],
  inbox: (table) => [`create table ${table} (id integer primary key, operations text not null)`],
  // New rows get theirs from who writes them (sqlite/request-log.ts).
  numberChanges: ({ table, column }) => [
    `create trigger ${table}_numbered after update on ${table} when new.${column} = old.${column} begin
      update ${table} set ${column} = (select coalesce(max(${column}), 0) + 1 from ${table} where ${column} > 0)
      where id = new.id; end`,
  ],
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
  // The rows lie in the order of their key, which cannot be changed: they move to a new table.
  widenSums: (sums, added) => {
    const { money, time, id, byKey } = sqliteWords;
    const { into, keys } = sums;
    const typeOf = (name: string) => added.find((one) => one.name === name)?.type ?? (name === 'bucket' ? time : id);
    const kept = [...keys.filter(({ name }) => added.every((one) => one.name !== name)), ...sums.sums];
    return [
      `drop trigger ${into}_kept`,
      `drop trigger ${into}_followed`,
      `alter table ${into} rename to ${into}_before`,
      `create table ${into} (
        ${keys.map(({ name }) => `${name} ${typeOf(name)} not null`).join(', ')},
        ${sums.sums.map(({ name }) => `${name} ${money} not null`).join(', ')},
        primary key (${namesOf(keys)})) ${byKey}`,
      `insert into ${into} (${namesOf(kept)}, ${added.map(({ name }) => name).join(', ')})
        select ${namesOf(kept)}, ${added.map(({ before }) => before).join(', ')} from ${into}_before`,
      `drop table ${into}_before`,
      ...sqliteWords.keepSums(sums).slice(0, -1), // all but the adding up of what is there
      ...sqliteWords.followSums(sums),
    ];
  },
};

/** Rows are read and written one by one: a prepared statement costs less here than unfolding JSON does. */
export const sqliteLedgerWords: LedgerWords = {
  texts: '?',
  requestNumber: [['change', 'money']],
  lock: '', // `begin immediate` already keeps other writers out
  // To undo one statement alone, SQLite would keep a copy of every page it touches; a refused batch is undone as a whole.
  insert: (table, columns) =>
    `insert or rollback into ${table} (${columns.map(([name]) => name).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  // The row's name comes first in the values and last in the statement, hence the numbers.
  update: (table, [key, ...columns]) =>
    `update ${table} set ${columns.map(([name], index) => `${name} = ?${index + 2}`).join(', ')} where ${key?.[0]} = ?1`,
  remove: (table) => `delete from ${table} where id = ?`,
};
