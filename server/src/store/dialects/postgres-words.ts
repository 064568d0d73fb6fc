// What PostgreSQL calls things.
import pg from 'pg';
import type { Column, LedgerWords } from '../ledger/statements.ts';
import type { DialectWords } from '../migrations/migration.ts';
import { divideByDay } from './postgres-day-parts.ts';
import { channelOf } from './postgres-notices.ts';

export const postgresWords: DialectWords = {
  id: 'text collate "C"',
  money: 'bigint',
  time: 'double precision', // whole seconds, read back as a number; `integer` would end in 2038
  byKey: '',
  serial: 'bigint generated always as identity primary key',
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_append_only before update or delete or truncate on ${table} execute function ${table}_refuse()`,
  ],
  dayParts: (table) => divideByDay(table, Date.now()),
  tellInserts: (table) => [
    `create function ${table}_tell() returns trigger language plpgsql as $$ begin perform pg_notify('${channelOf(table)}', ''); return null; end $$`,
    `create trigger ${table}_tell after insert on ${table} for each statement execute function ${table}_tell()`,
  ],
};

const COLUMN_TYPES = { text: 'text', money: 'bigint', time: 'double precision', integer: 'integer' } as const;

const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** All rows of a batch travel as one JSON list of lists, so that a statement is sent once whatever their number. */
const unfold = (columns: readonly Column[]): string =>
  `select ${columns.map(([name, type], index) => `(value ->> ${index})::${COLUMN_TYPES[type]} as ${name}`).join(', ')} from jsonb_array_elements($1::jsonb)`;

export const postgresLedgerWords: LedgerWords = {
  texts: 'select jsonb_array_elements_text($1::jsonb)',
  lock: 'for update',
  insert: (table, columns) => `insert into ${table} (${names(columns)}) ${unfold(columns)}`,
  remove: (table) => `delete from ${table} where id in (select value ->> 0 from jsonb_array_elements($1::jsonb))`,
  update: (table, columns) => {
    const [key = ['id', 'text'], ...rest] = columns;
    const changes = rest.map(([name]) => `${name} = x.${name}`).join(', ');
    return `update ${table} set ${changes} from (${unfold(columns)}) as x where ${table}.${key[0]} = x.${key[0]}`;
  },
};

/** bigint columns hold money and arrive as bigint; everything else as the driver reads it. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8 ? (value: string) => BigInt(value) : pg.types.getTypeParser(id, format),
};
