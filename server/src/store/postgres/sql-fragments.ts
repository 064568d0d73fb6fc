// What PostgreSQL calls things.
import pg from 'pg';
import type { Column, LedgerWords } from '../ledger/statements.ts';
import { addChanges, addToSums, type DialectWords, namesOf } from '../migrations/migration.ts';
import { channelOf } from './notices.ts';
import { divideLedger } from './ledger-partitions.ts';
import { divideByTime } from './time-partitions.ts';

/** No upstream's nonsense may overflow a sum. */
const LARGEST_COUNT = 1e12;

export const postgresWords: DialectWords = {
  id: 'text collate "C"',
  money: 'bigint',
  time: 'double precision', // whole seconds, read back as a number; `integer` would end in 2038
  bytes: 'bytea',
  byKey: '',
  serial: 'bigint generated always as identity primary key',
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_append_only before update or delete or truncate on ${table} execute function ${table}_refuse()`,
  ],
  jsonNumber: (column, field, factor = 1) =>
    `least(coalesce((${column}::jsonb ->> '${field}')::numeric * ${factor}, 0), ${LARGEST_COUNT})::bigint`,
  wholeHour: (column) => `floor(${column} / 3600) * 3600`,
  wholeQuarter: (column) => `floor(${column} / 900) * 900`,
  // Once per statement, not per row, and in the order of the key: two batches never wait for each other in a circle.
  keepSums: (sums) => [
    `create function ${sums.into}_keep() returns trigger language plpgsql as $$ begin
      ${addToSums(sums, 'added')}; return null; end $$`,
    `create trigger ${sums.into}_kept after insert on ${sums.from} referencing new table as added
      for each statement execute function ${sums.into}_keep()`,
    addToSums(sums, sums.from),
  ],
  timePartitions: (table) => divideByTime(table, Date.now()),
  divideLedger,
  tellInserts: (table) => [
    `create function ${table}_tell() returns trigger language plpgsql as $$ begin perform pg_notify('${channelOf(table)}', ''); return null; end $$`,
    `create trigger ${table}_tell after insert on ${table} for each statement execute function ${table}_tell()`,
  ],
  inbox: () => [],
  // The sequence belongs to the column: it goes with the table, and a copy of the table continues it.
  numberChanges: ({ table, column }) => [
    `create sequence ${table}_${column} owned by ${table}.${column}`,
    `alter table ${table} alter column ${column} set default nextval('${table}_${column}')`,
    `create function ${table}_number() returns trigger language plpgsql as $$ begin
      new.${column} := nextval('${table}_${column}'); return new; end $$`,
    `create trigger ${table}_numbered before update on ${table} for each row
      when (new.${column} = old.${column}) execute function ${table}_number()`,
  ],
  followSums: (sums) => [
    `create function ${sums.into}_follow() returns trigger language plpgsql as $$ begin
      ${addChanges(sums, { now: 'changed', before: 'replaced' })}; return null; end $$`,
    `create trigger ${sums.into}_followed after update on ${sums.from}
      referencing new table as changed old table as replaced
      for each statement execute function ${sums.into}_follow()`,
  ],
  // The triggers go first: that waits for the writers of the log, so that none is between the old sums and the new.
  widenSums: (sums, added) => [
    `drop trigger ${sums.into}_kept on ${sums.from}`,
    `drop trigger ${sums.into}_followed on ${sums.from}`,
    `drop function ${sums.into}_keep`,
    `drop function ${sums.into}_follow`,
    ...added.map(
      ({ name, type, before }) => `alter table ${sums.into} add column ${name} ${type} not null default ${before}`,
    ),
    `alter table ${sums.into} drop constraint ${sums.into}_pkey`,
    `alter table ${sums.into} add primary key (${namesOf(sums.keys)})`,
    ...postgresWords.keepSums(sums).slice(0, -1), // all but the adding up of what is there
    ...postgresWords.followSums(sums),
  ],
};

const COLUMN_TYPES = { text: 'text', money: 'bigint', time: 'double precision', integer: 'integer' } as const;

const names = (columns: readonly Column[]): string => columns.map(([name]) => name).join(', ');

/** All rows of a batch travel as one JSON list of lists, so that a statement is sent once whatever their number. */
export const unfold = (columns: readonly Column[], parameter = '$1::jsonb'): string =>
  `select ${columns.map(([name, type], index) => `(value ->> ${index})::${COLUMN_TYPES[type]} as ${name}`).join(', ')} from jsonb_array_elements(${parameter})`;

export const postgresLedgerWords: LedgerWords = {
  texts: 'select jsonb_array_elements_text($1::jsonb)',
  lock: 'for update',
  requestNumber: [],
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
