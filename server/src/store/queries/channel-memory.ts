// How channels fared: the last error, the last test, and the calls of the last day.
import { storable } from '../../shared/plain-text.ts';
import type { Reads, Store, Transaction } from '../store.ts';
import type { ChannelCallsTable, ChannelMemoryTable } from '../tables.ts';
import { addKeyCalls, type KeyCallsRow, type KeyErrorRow, noteKeyErrors } from './channel-key-calls.ts';
import { lastHourBefore } from './day-of-hours.ts';

export { FAILED_CALLS, HOUR_SECONDS } from './day-of-hours.ts';

export type ChannelMemoryRow = ChannelMemoryTable;
export type ChannelCallsRow = ChannelCallsTable;
export type ChannelErrorRow = Pick<
  ChannelMemoryRow,
  'channel_id' | 'error_at' | 'error_class' | 'error_status' | 'error_message'
>;
export type ChannelTestRow = Pick<
  ChannelMemoryRow,
  'channel_id' | 'test_at' | 'test_ok' | 'test_status' | 'test_ms' | 'test_model' | 'test_message'
>;

export interface MemoryChanges {
  calls: ChannelCallsRow[];
  successes: { channel_id: string; success_at: number }[];
  errors: ChannelErrorRow[];
  keyCalls: KeyCallsRow[];
  keyErrors: KeyErrorRow[];
}

/** Far below the most parameters that a statement may have. */
const AT_ONCE = 500;

/**
 * One commit of a few statements, since SQLite has one writer for all; in an order that two processes share, so that they
 * never wait for each other in a circle.
 */
export async function keepMemory(store: Store, changes: MemoryChanges): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const rows of batches(changes.calls)) await addCalls(transaction, rows);
    for (const rows of batches(changes.successes)) await noteSuccesses(transaction, rows);
    for (const rows of batches(changes.errors)) await noteErrors(transaction, rows);
    for (const rows of batches(changes.keyCalls)) await addKeyCalls(transaction, rows);
    for (const rows of batches(changes.keyErrors)) await noteKeyErrors(transaction, rows);
  });
}

async function addCalls(transaction: Transaction, rows: ChannelCallsRow[]): Promise<void> {
  await transaction
    .insertInto('channel_calls')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'hour', 'bucket'])
        .doUpdateSet((known) => ({ calls: known('channel_calls.calls', '+', known.ref('excluded.calls')) })),
    )
    .execute();
}

async function noteSuccesses(transaction: Transaction, rows: MemoryChanges['successes']): Promise<void> {
  await transaction
    .insertInto('channel_memory')
    .values(rows.map((row) => ({ ...NOTHING, ...row })))
    .onConflict((conflict) =>
      conflict
        .column('channel_id')
        .doUpdateSet((row) => ({ success_at: row.ref('excluded.success_at') }))
        .where((row) =>
          row.or([
            row('channel_memory.success_at', 'is', null),
            row('channel_memory.success_at', '<', row.ref('excluded.success_at')),
          ]),
        ),
    )
    .execute();
}

async function noteErrors(transaction: Transaction, rows: ChannelErrorRow[]): Promise<void> {
  await transaction
    .insertInto('channel_memory')
    .values(rows.map((row) => ({ ...NOTHING, ...row, error_message: asStored(row.error_message) })))
    .onConflict((conflict) =>
      conflict
        .column('channel_id')
        .doUpdateSet((row) => ({
          error_at: row.ref('excluded.error_at'),
          error_class: row.ref('excluded.error_class'),
          error_status: row.ref('excluded.error_status'),
          error_message: row.ref('excluded.error_message'),
        }))
        .where((row) =>
          row.or([
            row('channel_memory.error_at', 'is', null),
            row('channel_memory.error_at', '<=', row.ref('excluded.error_at')),
          ]),
        ),
    )
    .execute();
}

export async function noteTest(store: Store, { channel_id, ...row }: ChannelTestRow): Promise<void> {
  const test = { ...row, test_message: asStored(row.test_message) };
  await store.transaction((transaction) =>
    transaction
      .insertInto('channel_memory')
      .values({ ...NOTHING, channel_id, ...test })
      .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(test))
      .execute(),
  );
}

export async function listMemory(reads: Reads, channelIds: readonly string[]): Promise<ChannelMemoryRow[]> {
  if (channelIds.length === 0) return [];
  return reads.selectFrom('channel_memory').selectAll().where('channel_id', 'in', channelIds).execute();
}

/** Of the last day, over all its hours: their `hour` says nothing. */
export async function listCalls(reads: Reads, channelIds: readonly string[], now: number): Promise<ChannelCallsRow[]> {
  if (channelIds.length === 0) return [];
  const rows = await reads
    .selectFrom('channel_calls')
    .select(({ fn }) => ['channel_id', 'bucket', fn.sum<number | string>('calls').as('calls')])
    .where('channel_id', 'in', channelIds)
    .where('hour', '>', lastHourBefore(now))
    .groupBy(['channel_id', 'bucket'])
    .orderBy('bucket')
    .execute();
  return rows.map(({ calls, ...row }) => ({ ...row, hour: 0, calls: Number(calls) }));
}

export async function forgetCalls(store: Store, now: number): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const table of ['channel_calls', 'channel_key_calls'] as const)
      await transaction.deleteFrom(table).where('hour', '<=', lastHourBefore(now)).execute();
  });
}

const NOTHING: Omit<ChannelMemoryRow, 'channel_id'> = {
  success_at: null,
  error_at: null,
  error_class: null,
  error_status: null,
  error_message: null,
  test_at: null,
  test_ok: null,
  test_status: null,
  test_ms: null,
  test_model: null,
  test_message: null,
};

/** Messages are the words of upstreams: one that the database does not take would keep all others out. */
function asStored(message: string | null): string | null {
  return message === null ? null : storable(message);
}

interface Ordered {
  channel_id: string;
  key_id?: string;
  bucket?: number;
}

function* batches<T extends Ordered>(rows: T[]): Generator<T[]> {
  const ordered = rows.toSorted(inOrder);
  for (let start = 0; start < ordered.length; start += AT_ONCE) yield ordered.slice(start, start + AT_ONCE);
}

function inOrder(a: Ordered, b: Ordered): number {
  return (
    byText(a.channel_id, b.channel_id) || byText(a.key_id ?? '', b.key_id ?? '') || (a.bucket ?? 0) - (b.bucket ?? 0)
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
