// Feature flags.
import type { Reads, Transaction } from '../store.ts';
import type { FlagsTable } from '../tables.ts';

export type FlagRow = FlagsTable;

export async function findFlag(reads: Reads, name: string): Promise<FlagRow | undefined> {
  return reads.selectFrom('flags').selectAll().where('name', '=', name).executeTakeFirst();
}

/** By name. */
export async function listFlags(
  reads: Reads,
  listing: { after?: string | undefined; limit: number },
): Promise<FlagRow[]> {
  let query = reads.selectFrom('flags').selectAll().orderBy('name').limit(listing.limit);
  if (listing.after !== undefined) query = query.where('name', '>', listing.after);
  return query.execute();
}

export async function upsertFlag(transaction: Transaction, row: FlagRow): Promise<void> {
  const { name: _, ...changes } = row;
  await transaction
    .insertInto('flags')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute();
}

export async function deleteFlag(transaction: Transaction, name: string): Promise<void> {
  await transaction.deleteFrom('flags').where('name', '=', name).execute();
}
