// Tables in partitions by time, on PostgreSQL, so that forgetting is a drop. The name of a partition has the day it ends
// before; `<table>_rest` takes rows that have no partition, so that no insert ever fails.
import { firstIdAt } from '../../shared/ids.ts';
import type { DividedTable, Partitioning } from '../migrations/migration.ts';
import { ID_KINDS, rangeBefore, youngBatchLines } from '../queries/request-order.ts';

const DAY_MS = 86_400_000;
const WORD = '_until_';

export interface Partition {
  name: string;
  /** First moment (ms) that is not in it. */
  end: number;
}

/** First moment of the day or month in which a moment lies, or of one that many later. */
const startOf: Record<Partitioning['length'], (moment: number, later?: number) => number> = {
  day(moment, later = 0) {
    const date = new Date(moment);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + later);
  },
  month(moment, later = 0) {
    const date = new Date(moment);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  },
};

/** The least key of a moment, as SQL. */
function keyAt({ key }: Partitioning, moment: number): string {
  return key.idPrefix === undefined ? String(moment / 1000) : `'${firstIdAt(key.idPrefix, moment)}'`;
}

export function nameOfPartition(table: string, end: number): string {
  return `${table}${WORD}${new Date(end).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** undefined for a partition that has no time of its own. */
export function readPartitionName(table: string, name: string): Partition | undefined {
  const [, year, month, day] = new RegExp(`^${table}${WORD}(\\d{4})(\\d\\d)(\\d\\d)$`).exec(name) ?? [];
  return day === undefined ? undefined : { name, end: Date.UTC(Number(year), Number(month) - 1, Number(day)) };
}

/** Makes the table as it is the first partition, which ends with the day or month: its lines stay where they are. */
export function divideByTime(divided: DividedTable, now: number): string[] {
  const { table, key, primaryKey, index, sums } = divided;
  const end = startOf[divided.length](now, 1);
  const first = nameOfPartition(table, end);
  const limit = keyAt(divided, end);
  return [
    `alter table ${table} rename to ${first}`,
    `alter index ${table}_pkey rename to ${first}_pkey`,
    ...(index === undefined ? [] : [`alter index ${index.name} rename to ${first}_index`]),
    `create table ${table} (like ${first}) partition by range (${key.column})`,
    `alter table ${table} add primary key (${primaryKey})`,
    ...(index === undefined ? [] : [`create index ${index.name} on ${table} (${index.columns})`]),
    `create table ${table}_rest (like ${first} including indexes)`,
    moveRows({ from: first, to: `${table}_rest`, where: `${key.column} >= ${limit}` }),
    `alter table ${table} attach partition ${first} for values from (minvalue) to (${limit})`,
    `alter table ${table} attach partition ${table}_rest default`,
    // Lines come through the whole now: what counts them must stand there.
    ...(sums === undefined
      ? []
      : [
          `drop trigger ${sums}_kept on ${first}`,
          `create trigger ${sums}_kept after insert on ${table} referencing new table as added
            for each statement execute function ${sums}_keep()`,
        ]),
  ];
}

export interface Horizon {
  now: number;
  /** So many partitions are to be ready beyond the one of now. */
  ahead: number;
}

/** Ends of the partitions that are to be made. */
export function missingEnds(
  { length }: Partitioning,
  partitions: readonly Partition[],
  { now, ahead }: Horizon,
): number[] {
  const last = Math.max(...partitions.map(({ end }) => end));
  const wanted = startOf[length](now, ahead + 1);
  const ends: number[] = [];
  if (!Number.isFinite(last)) return ends;
  // After a long sleep the first one covers the time that nobody was there for.
  let end = startOf[length](Math.max(last, now), 1);
  for (; end <= wanted; end = startOf[length](end, 1)) ends.push(end);
  return ends;
}

/** What came into the rest because the partition was late moves into it. */
export function addPartition(partitioning: Partitioning, start: number, end: number): string[] {
  const { table, key } = partitioning;
  const name = nameOfPartition(table, end);
  const [from, to] = [keyAt(partitioning, start), keyAt(partitioning, end)];
  return [
    // A row that came into the rest after the move would have the partition refused: under traffic, each time.
    `lock table ${table}_rest`,
    `create table ${name} (like ${table} including indexes)`,
    moveRows({ from: `${table}_rest`, to: name, where: `${key.column} >= ${from} and ${key.column} < ${to}` }),
    `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`,
  ];
}

/** What ends by this moment is more than so many days old, to its last line. */
export function endOfOld({ length }: Partitioning, { now, days }: { now: number; days: number }): number {
  return startOf[length](now - days * DAY_MS);
}

/** Old rows that had no partition to be dropped with: few, but for the lines of batches. */
export function forgetRest(partitioning: Partitioning, before: number): string {
  return `delete from ${partitioning.table}_rest where (${olderThan(partitioning, before)})`;
}

function olderThan(partitioning: Partitioning, before: number): string {
  const { column, idPrefix } = partitioning.key;
  if (idPrefix === undefined) return `${column} < ${keyAt(partitioning, before)}`;
  return ID_KINDS.map((kind) => inRange(column, rangeBefore(kind, before))).join(' or ');
}

/**
 * A part that is over goes. Ids of batch lines lie before all others, so the first part has those of every day: the young
 * ones go to the rest.
 */
export function dropPartition(partitioning: Partitioning, name: string, before: number): string[] {
  const young = youngRows(partitioning, before);
  if (young === undefined) return [`drop table ${name}`];
  const { table } = partitioning;
  return [
    `alter table ${table} detach partition ${name}`,
    moveRows({ from: name, to: `${table}_rest`, where: young }),
    `drop table ${name}`,
  ];
}

/** The rows of a part that is over which stay; undefined where there can be none. */
export function youngRows({ key: { column, idPrefix } }: Partitioning, before: number): string | undefined {
  if (idPrefix === undefined) return undefined;
  return youngBatchLines(before)
    .map((range) => inRange(column, range))
    .join(' or ');
}

function inRange(column: string, { least, below }: { least: string; below: string }): string {
  return `(${column} >= '${least}' and ${column} < '${below}')`;
}

function moveRows({ from, to, where }: { from: string; to: string; where: string }): string {
  return `with moved as (delete from ${from} where ${where} returning *) insert into ${to} select * from moved`;
}
