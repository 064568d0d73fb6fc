// What SQLite calls things.
import type { LedgerWords } from '../ledger/apply-batch.ts';
import type { DialectWords } from '../migrations/migration.ts';

export const sqliteWords: DialectWords = {
  id: 'text',
  money: 'bigint',
  time: 'integer',
  serial: 'integer primary key autoincrement',
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (action) =>
        `create trigger ${table}_no_${action} before ${action} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    ),
};

export const sqliteLedgerWords: LedgerWords = {
  texts: 'select value from json_each(?)',
  // `-> '$[n]'` would keep JSON quotes; `->>` gives text, whole numbers of 64 bits and null as they are.
  rows: (columns) =>
    `select ${columns.map(([name], index) => `value ->> ${index} as ${name}`).join(', ')} from json_each(?) where true`,
  lock: '', // `begin immediate` already keeps other writers out
};
