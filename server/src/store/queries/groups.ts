// Groups with their multipliers.
import type { Reads, Transaction } from '../store.ts';
import type { GroupsTable } from '../tables.ts';

export type GroupRow = GroupsTable;

export async function findGroup(reads: Reads, name: string): Promise<GroupRow | undefined> {
  return reads.selectFrom('groups').selectAll().where('name', '=', name).executeTakeFirst();
}

/** By name. */
export async function listGroups(
  reads: Reads,
  listing: { after?: string | undefined; limit: number },
): Promise<GroupRow[]> {
  let query = reads.selectFrom('groups').selectAll().orderBy('name').limit(listing.limit);
  if (listing.after !== undefined) query = query.where('name', '>', listing.after);
  return query.execute();
}

export async function upsertGroup(transaction: Transaction, row: GroupRow): Promise<void> {
  const { name: _, ...changes } = row;
  await transaction
    .insertInto('groups')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute();
}
