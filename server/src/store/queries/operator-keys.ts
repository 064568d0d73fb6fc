// Operator keys, found by the hash of their text.
import type { Reads, Transaction } from '../store.ts';
import type { OperatorKeysTable } from '../tables.ts';

export type OperatorKeyRow = OperatorKeysTable;

export async function findOperatorKey(reads: Reads, id: string): Promise<OperatorKeyRow | undefined> {
  return reads.selectFrom('operator_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findOperatorKeyByHash(reads: Reads, keyHash: string): Promise<OperatorKeyRow | undefined> {
  return reads.selectFrom('operator_keys').selectAll().where('key_hash', '=', keyHash).executeTakeFirst();
}

export async function findOperatorKeyByName(reads: Reads, name: string): Promise<OperatorKeyRow | undefined> {
  return reads.selectFrom('operator_keys').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Newest first. */
export async function listOperatorKeys(
  reads: Reads,
  listing: { after?: string | undefined; limit: number },
): Promise<OperatorKeyRow[]> {
  let query = reads.selectFrom('operator_keys').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

export async function insertOperatorKey(transaction: Transaction, row: OperatorKeyRow): Promise<void> {
  await transaction.insertInto('operator_keys').values(row).execute();
}

export async function updateOperatorKey(
  transaction: Transaction,
  id: string,
  changes: Partial<Pick<OperatorKeyRow, 'name' | 'role' | 'status' | 'expires_at'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await transaction.updateTable('operator_keys').set(changes).where('id', '=', id).execute();
}

export async function deleteOperatorKey(transaction: Transaction, id: string): Promise<void> {
  await transaction.deleteFrom('operator_keys').where('id', '=', id).execute();
}
