// How long requests took, as counts by time: percentiles come from those. Read from the request log itself, so that no
// request pays for them.
import { sql } from 'kysely';
import type { Reads } from '../store.ts';
import type { RequestsTable } from '../tables.ts';
import { orderedIdsOfTimes } from './times-as-ids.ts';

export interface TimesListing {
  /** `from` is inside the range, `to` is not. */
  from: number;
  to: number;
  filters: Partial<Pick<RequestsTable, 'account_id' | 'token_id' | 'channel_id' | 'model' | 'mode'>>;
}

export interface TimeCount {
  /** Rounded down to three digits. */
  ms: number;
  requests: number;
}

/** Shortest first. */
export async function countTimes(
  reads: Reads,
  column: 'first_byte_ms' | 'total_ms',
  { from, to, filters }: TimesListing,
): Promise<TimeCount[]> {
  const { first = '', last = '' } = orderedIdsOfTimes('req', { from, to });
  const time = sql.ref(column);
  // Whole numbers are divided without a rest in both dialects.
  const rounded = sql<number>`case when ${time} < 1000 then ${time} when ${time} < 10000 then ${time} / 10 * 10
    when ${time} < 100000 then ${time} / 100 * 100 else ${time} / 1000 * 1000 end`;
  let query = reads
    .selectFrom('requests')
    .select([rounded.as('ms'), ({ fn }) => fn.countAll<number | bigint>().as('requests')])
    .where('id', '>=', first)
    .where('id', '<', last)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where(column, 'is not', null)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) query = query.where(name as keyof typeof filters, '=', value);
  }
  return (await query.execute()).map(({ ms, requests }) => ({ ms, requests: Number(requests) }));
}

/** The time within which this share of the requests was done; null when there was none. */
export function percentile(counts: readonly TimeCount[], share: number): number | null {
  const all = counts.reduce((sum, { requests }) => sum + requests, 0);
  let seen = 0;
  for (const { ms, requests } of counts) {
    seen += requests;
    if (seen >= share * all) return ms;
  }
  return null;
}
