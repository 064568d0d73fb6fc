// How single keys fared in the last day, and what their channels were paid: written with the memory of channels, read for
// the board of channels. Every query begins with the key of its table, so that other channels cost nothing.
import { sql } from 'kysely';
import { storable } from '../../shared/plain-text.ts';
import type { Reads, Transaction } from '../store.ts';
import type { ChannelKeyCallsTable, ChannelKeyErrorsTable } from '../tables.ts';
import { FAILED_CALLS, lastHourBefore } from './day-of-hours.ts';

export type KeyCallsRow = ChannelKeyCallsTable;
export type KeyErrorRow = ChannelKeyErrorsTable;

/** Calls of one hour. */
export interface HourSums {
  channel_id: string;
  hour: number;
  answered: number;
  failed: number;
}

export interface KeyHourSums extends HourSums {
  key_id: string;
  amount: bigint;
}

export async function addKeyCalls(transaction: Transaction, rows: KeyCallsRow[]): Promise<void> {
  await transaction
    .insertInto('channel_key_calls')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'key_id', 'hour', 'bucket']).doUpdateSet((known) => ({
        calls: known('channel_key_calls.calls', '+', known.ref('excluded.calls')),
        amount: known('channel_key_calls.amount', '+', known.ref('excluded.amount')),
      })),
    )
    .execute();
}

export async function noteKeyErrors(transaction: Transaction, rows: KeyErrorRow[]): Promise<void> {
  await transaction
    .insertInto('channel_key_errors')
    .values(rows.map((row) => ({ ...row, error_message: storable(row.error_message) })))
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'key_id'])
        .doUpdateSet((row) => ({
          error_at: row.ref('excluded.error_at'),
          error_class: row.ref('excluded.error_class'),
          error_status: row.ref('excluded.error_status'),
          error_message: row.ref('excluded.error_message'),
        }))
        .whereRef('channel_key_errors.error_at', '<=', 'excluded.error_at'),
    )
    .execute();
}

const answered = sql<string>`cast(sum(case when bucket = ${sql.lit(FAILED_CALLS)} then 0 else calls end) as text)`;
const failed = sql<string>`cast(sum(case when bucket = ${sql.lit(FAILED_CALLS)} then calls else 0 end) as text)`;

/** Of whole channels, by hour of the last day. */
export async function listChannelHours(reads: Reads, channelIds: readonly string[], now: number): Promise<HourSums[]> {
  if (channelIds.length === 0) return [];
  const rows = await reads
    .selectFrom('channel_calls')
    .select(['channel_id', 'hour', answered.as('answered'), failed.as('failed')])
    .where('channel_id', 'in', channelIds)
    .where('hour', '>', lastHourBefore(now))
    .groupBy(['channel_id', 'hour'])
    .execute();
  return rows.map((row) => ({ ...row, answered: Number(row.answered), failed: Number(row.failed) }));
}

/** Of each key, those that were removed included: what they were paid stays the channel's. */
export async function listKeyHours(reads: Reads, channelIds: readonly string[], now: number): Promise<KeyHourSums[]> {
  if (channelIds.length === 0) return [];
  const rows = await reads
    .selectFrom('channel_key_calls')
    .select(['channel_id', 'key_id', 'hour', answered.as('answered'), failed.as('failed')])
    .select(sql<string>`cast(sum(amount) as text)`.as('amount'))
    .where('channel_id', 'in', channelIds)
    .where('hour', '>', lastHourBefore(now))
    .groupBy(['channel_id', 'key_id', 'hour'])
    .execute();
  return rows.map((row) => ({
    ...row,
    answered: Number(row.answered),
    failed: Number(row.failed),
    amount: BigInt(row.amount),
  }));
}

/** Over all hours of the last day, by how long the calls took. */
export async function listKeyTimes(
  reads: Reads,
  channelIds: readonly string[],
  now: number,
): Promise<Omit<KeyCallsRow, 'hour' | 'amount'>[]> {
  if (channelIds.length === 0) return [];
  const rows = await reads
    .selectFrom('channel_key_calls')
    .select(['channel_id', 'key_id', 'bucket', sql<string>`cast(sum(calls) as text)`.as('calls')])
    .where('channel_id', 'in', channelIds)
    .where('hour', '>', lastHourBefore(now))
    .groupBy(['channel_id', 'key_id', 'bucket'])
    .execute();
  return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
}

export async function listKeyErrors(reads: Reads, channelIds: readonly string[]): Promise<KeyErrorRow[]> {
  if (channelIds.length === 0) return [];
  return reads.selectFrom('channel_key_errors').selectAll().where('channel_id', 'in', channelIds).execute();
}
