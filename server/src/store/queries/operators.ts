// Operators of the gateway.
import type { Reads, Transaction } from '../store.ts';
import type { OperatorsTable } from '../tables.ts';

export type OperatorRow = OperatorsTable;
export type OperatorChanges = Partial<Omit<OperatorRow, 'id' | 'created_at'>>;

export async function findOperator(reads: Reads, id: string): Promise<OperatorRow | undefined> {
  return reads.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findOperatorByName(reads: Reads, name: string): Promise<OperatorRow | undefined> {
  return reads.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Newest first. */
export async function listOperators(
  reads: Reads,
  listing: { after?: string | undefined; limit: number },
): Promise<OperatorRow[]> {
  let query = reads.selectFrom('operators').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

export async function countActiveAdmins(reads: Reads): Promise<number> {
  const { count } = await reads
    .selectFrom('operators')
    .select((columns) => columns.fn.countAll().as('count'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertOperator(transaction: Transaction, row: OperatorRow): Promise<void> {
  await transaction.insertInto('operators').values(row).execute();
}

export async function updateOperator(transaction: Transaction, id: string, changes: OperatorChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await transaction.updateTable('operators').set(changes).where('id', '=', id).execute();
}
