// Prices as they were: one line for each change, never altered.
import type { Reads, Transaction } from '../store.ts';
import type { PriceVersionsTable } from '../tables.ts';
import type { Selectable } from 'kysely';

export type PriceVersionRow = Selectable<PriceVersionsTable>;

export async function insertPriceVersion(transaction: Transaction, row: Omit<PriceVersionRow, 'id'>): Promise<void> {
  await transaction.insertInto('price_versions').values(row).execute();
}

/** Newest first. */
export async function listPriceVersions(
  reads: Reads,
  { model, after, limit }: { model: string | undefined; after: bigint | undefined; limit: number },
): Promise<PriceVersionRow[]> {
  let query = reads.selectFrom('price_versions').selectAll().orderBy('id', 'desc').limit(limit);
  if (model !== undefined) query = query.where('model_id', '=', model);
  if (after !== undefined) query = query.where('id', '<', after);
  return query.execute();
}
