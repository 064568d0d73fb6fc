// Sums of an account's ledger over a span of time. Test calls move no money and do not count.
import { sql } from 'kysely';
import type { Reads } from '../store.ts';
import { idsOfTimes } from './times-as-ids.ts';

export interface MoneySums {
  credits: bigint;
  charges: bigint;
  /** Settled calls. */
  requests: number;
}

export interface DaySums extends MoneySums {
  /** Start of the day (UTC). */
  day: number;
}

const DAY = 86_400;
const CREDITS = sql<string>`cast(coalesce(sum(case when kind = 'credit' then amount else 0 end), 0) as text)`;
const CHARGES = sql<string>`cast(coalesce(sum(case when kind = 'settle' then amount else 0 end), 0) as text)`;
const REQUESTS = sql<string>`cast(coalesce(sum(case when kind = 'settle' then 1 else 0 end), 0) as text)`;

/** Everything before that time. */
export async function sumsBefore(reads: Reads, accountId: string, before: number): Promise<MoneySums> {
  const query = await moneyOf(reads, accountId, { to: before });
  const sums = query.select([CREDITS.as('credits'), CHARGES.as('charges'), REQUESTS.as('requests')]);
  return readSums(await sums.executeTakeFirstOrThrow());
}

/** Day by day, oldest first; days on which nothing moved are left out. */
export async function sumsByDay(
  reads: Reads,
  accountId: string,
  range: { from: number; to: number },
): Promise<DaySums[]> {
  const day = sql<number | string>`floor(created_at / ${sql.lit(DAY)}) * ${sql.lit(DAY)}`;
  const query = await moneyOf(reads, accountId, range);
  const rows = await query
    .select([day.as('day'), CREDITS.as('credits'), CHARGES.as('charges'), REQUESTS.as('requests')])
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .execute();
  return rows.map((row) => ({ day: Number(row.day), ...readSums(row) }));
}

async function moneyOf(reads: Reads, accountId: string, range: { from?: number; to: number }) {
  const { first, last } = await idsOfTimes(reads, 'ledger', range);
  let query = reads
    .selectFrom('ledger')
    .where('account_id', '=', accountId)
    .where('mode', '=', sql.lit('live'))
    .where('kind', 'in', ['credit', 'settle'])
    .where('created_at', '<', range.to);
  if (range.from !== undefined) query = query.where('created_at', '>=', range.from);
  if (first !== undefined) query = query.where('id', '>=', first);
  if (last !== undefined) query = query.where('id', '<', last);
  return query;
}

function readSums(row: { credits: string; charges: string; requests: string }): MoneySums {
  return { credits: BigInt(row.credits), charges: BigInt(row.charges), requests: Number(row.requests) };
}
