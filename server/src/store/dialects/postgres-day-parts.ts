// Tables in parts by day, on PostgreSQL: ids begin with their time, so a day is a range of ids and the key stays the id
// alone. A part bears the day it ends before; `<table>_rest` takes what no part is there for, so that no insert ever fails.
import { firstIdAt } from '../../shared/ids.ts';
import type { DayParts } from '../migrations/migration.ts';

const DAY_MS = 86_400_000;
const WORD = '_until_';

export interface DayPart {
  name: string;
  /** First moment (ms) that is not in it. */
  end: number;
}

const startOfDay = (milliseconds: number): number => Math.floor(milliseconds / DAY_MS) * DAY_MS;

export function nameOfPart(table: string, end: number): string {
  return `${table}${WORD}${new Date(end).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** undefined for a part that is no day's. */
export function readPartName(table: string, name: string): DayPart | undefined {
  const [, year, month, day] = new RegExp(`^${table}${WORD}(\\d{4})(\\d\\d)(\\d\\d)$`).exec(name) ?? [];
  return day === undefined ? undefined : { name, end: Date.UTC(Number(year), Number(month) - 1, Number(day)) };
}

/** Makes the table as it is the first part, which ends with the day: its lines stay where they are. */
export function divideByDay({ table, prefix, index, sums }: DayParts, now: number): string[] {
  const end = startOfDay(now) + DAY_MS;
  const first = nameOfPart(table, end);
  const limit = `'${firstIdAt(prefix, end)}'`;
  return [
    `alter table ${table} rename to ${first}`,
    `alter index ${table}_pkey rename to ${first}_pkey`,
    `alter index ${index.name} rename to ${first}_index`,
    `create table ${table} (like ${first}) partition by range (id)`,
    `alter table ${table} add primary key (id)`,
    `create index ${index.name} on ${table} (${index.columns})`,
    `create table ${table}_rest (like ${first} including indexes)`,
    ...moveRows({ from: first, to: `${table}_rest`, where: `id >= ${limit}` }),
    `alter table ${table} attach partition ${first} for values from (minvalue) to (${limit})`,
    `alter table ${table} attach partition ${table}_rest default`,
    // Lines come through the whole now: what counts them must stand there.
    `drop trigger ${sums}_kept on ${first}`,
    `create trigger ${sums}_kept after insert on ${table} referencing new table as added
      for each statement execute function ${sums}_keep()`,
  ];
}

/** The days that are to be made, so that `ahead` of them are ready beyond today. */
export function missingEnds(parts: readonly DayPart[], { now, ahead }: { now: number; ahead: number }): number[] {
  const last = Math.max(...parts.map(({ end }) => end));
  const wanted = startOfDay(now) + (ahead + 1) * DAY_MS;
  const ends: number[] = [];
  if (!Number.isFinite(last)) return ends;
  // After a long sleep the first one covers the days that nobody was there for.
  for (let end = Math.max(last, startOfDay(now)) + DAY_MS; end <= wanted; end += DAY_MS) ends.push(end);
  return ends;
}

/** What came into the rest because the part was late moves into it. */
export function addPart({ table, prefix }: Pick<DayParts, 'table' | 'prefix'>, start: number, end: number): string[] {
  const name = nameOfPart(table, end);
  const [from, to] = [start, end].map((moment) => `'${firstIdAt(prefix, moment)}'`);
  return [
    `create table ${name} (like ${table} including indexes)`,
    ...moveRows({ from: `${table}_rest`, to: name, where: `id >= ${from} and id < ${to}` }),
    `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`,
  ];
}

export function oldParts(parts: readonly DayPart[], { now, days }: { now: number; days: number }): DayPart[] {
  return parts.filter(({ end }) => end <= now - days * DAY_MS);
}

function moveRows({ from, to, where }: { from: string; to: string; where: string }): string[] {
  return [`with moved as (delete from ${from} where ${where} returning *) insert into ${to} select * from moved`];
}
