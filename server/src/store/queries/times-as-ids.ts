// A range of time as a range of ids, because lists lie in the order of their ids: either these begin with their time, or
// they are counted up and the range is found by halving. Neither costs the writers an index.
import { sql } from 'kysely';
import { firstIdAt } from '../../shared/ids.ts';
import type { Reads } from '../store.ts';

type Counted = 'ledger' | 'audit';

/** Between the making of an id and the time written into the line lies no more than this. */
const SLACK_SECONDS = 3600;

export interface TimeRange {
  /** `from` is inside the range, `to` is not. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Of ids that begin with their time. */
export function orderedIdsOfTimes(
  prefix: string,
  { from, to }: TimeRange,
): { first: string | undefined; last: string | undefined } {
  const at = (seconds: number): string => firstIdAt(prefix, Math.max(0, seconds) * 1000);
  return {
    first: from === undefined ? undefined : at(from - SLACK_SECONDS),
    last: to === undefined ? undefined : at(to + SLACK_SECONDS),
  };
}

/** No line of the range has an id outside of this one; some that are inside may lie outside of the range. */
export async function idsOfTimes(
  reads: Reads,
  table: Counted,
  { from, to }: TimeRange,
): Promise<{ first: bigint | undefined; last: bigint | undefined }> {
  return {
    first: from === undefined ? undefined : await firstIdSince(reads, table, from - SLACK_SECONDS),
    last: to === undefined ? undefined : await firstIdSince(reads, table, to + SLACK_SECONDS),
  };
}

/** The id of the first line at or after a time; one behind the last when there is none. */
async function firstIdSince(reads: Reads, table: Counted, time: number): Promise<bigint> {
  const id = sql<string>`cast(id as text)`.as('id'); // the engines have different ideas of its type
  const ends = await Promise.all(
    (['asc', 'desc'] as const).map((order) =>
      reads.selectFrom(table).select(id).orderBy(`${table}.id`, order).limit(1).executeTakeFirst(),
    ),
  );
  let low = BigInt(ends[0]?.id ?? 1);
  let high = BigInt(ends[1]?.id ?? 0) + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const row = await reads
      .selectFrom(table)
      .select([id, 'created_at'])
      .where(`${table}.id`, '>=', middle)
      .orderBy(`${table}.id`)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined || row.created_at >= time) high = middle;
    else low = BigInt(row.id) + 1n;
  }
  return low;
}
