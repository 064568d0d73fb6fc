// Batches as rows: made, found by their owner, listed, claimed by one process at a time, and ended.
import type { Reads, Store, Transaction } from '../store.ts';
import type { BatchesTable, BatchState } from '../tables.ts';
import { type Lease, living } from './processes.ts';
import { claimRows } from './rows.ts';

export type BatchRow = BatchesTable;
export type { BatchState };

export interface BatchListing {
  accountId?: string | undefined;
  style?: BatchRow['style'] | undefined;
  state?: BatchState | undefined;
  /** Ids are in the order of their time: only those behind this one in the order of the list. */
  after?: string | undefined;
  /** Only those before this one: the page that ends right before it. */
  before?: string | undefined;
  /** Also those that their owner deleted. */
  withDeleted?: boolean;
  limit: number;
}

const ID = /^(?:batch|msgbatch)_[A-Za-z0-9]{24}$/;

export function isBatchId(text: string): boolean {
  return ID.test(text);
}

export async function findBatch(reads: Reads, id: string): Promise<BatchRow | undefined> {
  if (!ID.test(id)) return undefined;
  return reads.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
}

/** undefined for one that does not exist, is somebody else's or in another shape, or was deleted: nobody can tell which. */
export async function findOwnBatch(
  reads: Reads,
  { accountId, id, style }: { accountId: string; id: string; style: BatchRow['style'] },
): Promise<BatchRow | undefined> {
  if (!ID.test(id)) return undefined;
  return reads
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('style', '=', style)
    .where('state', '!=', 'holding')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Newest first. */
export async function listBatches(reads: Reads, listing: BatchListing): Promise<BatchRow[]> {
  const { before } = listing;
  let query = reads
    .selectFrom('batches')
    .selectAll()
    .where('state', '!=', 'holding')
    .orderBy('id', before === undefined ? 'desc' : 'asc')
    .limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.style !== undefined) query = query.where('style', '=', listing.style);
  if (listing.state !== undefined) query = query.where('state', '=', listing.state);
  if (listing.withDeleted !== true) query = query.where('deleted_at', 'is', null);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  if (before !== undefined) query = query.where('id', '>', before);
  const rows = await query.execute();
  return before === undefined ? rows : rows.toReversed();
}

export async function addBatch(store: Store, row: BatchRow): Promise<void> {
  await store.transaction((transaction) => transaction.insertInto('batches').values(row).execute());
}

/** Only from one of these states; says whether it was changed. */
export async function changeBatch(
  store: Store,
  id: string,
  { from, set }: { from: readonly BatchState[]; set: Partial<BatchRow> },
): Promise<boolean> {
  const { numUpdatedRows } = await store.transaction((transaction) =>
    transaction
      .updateTable('batches')
      .set(set)
      .where('id', '=', id)
      .where('state', 'in', [...from])
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Live batches that nobody looks after, or that this process does already; each goes to one process. */
export async function claimBatches(store: Store, claim: Lease): Promise<BatchRow[]> {
  const { owner, now, leaseSeconds, limit } = claim;
  return store.transaction((transaction) =>
    claimRows(store, transaction, {
      table: 'batches',
      free: freeBatches(transaction, claim).limit(limit),
      set: () => ({ lease_owner: owner, lease_until: now + leaseSeconds }),
    }),
  );
}

/** Asked often, so it only reads. */
export async function hasLiveBatch(reads: Reads): Promise<boolean> {
  const row = await reads.selectFrom('batches').select('id').where('ended_at', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

function freeBatches(transaction: Transaction, { owner, now, silence }: Lease) {
  return transaction
    .selectFrom('batches')
    .select('id')
    .where('ended_at', 'is', null)
    .where((where) =>
      where.or([
        where('lease_owner', 'is', null),
        where('lease_owner', '=', owner),
        where('lease_until', '<', now),
        where('lease_owner', 'not in', living(transaction, { now, silence })),
      ]),
    )
    .orderBy('id');
}

/** With its lines, answers and all: it never was. */
export async function removeBatch(store: Store, id: string): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.deleteFrom('batch_answers').where('batch_id', '=', id).execute();
    await transaction.deleteFrom('batch_lines').where('batch_id', '=', id).execute();
    await transaction.deleteFrom('batches').where('id', '=', id).execute();
  });
}

/** Which of these blobs a batch still needs: inputs of live ones, results of those whose owner reads them here. */
export async function blobsOfBatches(reads: Reads, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const inputs = await reads
    .selectFrom('batches')
    .select('input_blob')
    .where('input_blob', 'in', [...keys])
    .where('ended_at', 'is', null)
    .execute();
  const results = await reads
    .selectFrom('batches')
    .select('id')
    .where('id', 'in', [...keys])
    .where('deleted_at', 'is', null)
    .where('archived_at', 'is', null)
    .execute();
  return new Set([...inputs.map((row) => row.input_blob), ...results.map((row) => row.id)]);
}

/** Ended ones whose results have been kept long enough, a few. */
export async function oldResults(reads: Reads, before: number): Promise<string[]> {
  const rows = await reads
    .selectFrom('batches')
    .select('id')
    .where('style', '=', 'anthropic')
    .where('ended_at', '<', before)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** Batches that have ended and whose lines are still there. */
export async function endedWithLines(reads: Reads): Promise<string[]> {
  const rows = await reads
    .selectFrom('batch_lines')
    .innerJoin('batches', 'batches.id', 'batch_lines.batch_id')
    .select('batches.id')
    .distinct()
    .where('batches.ended_at', 'is not', null)
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}
