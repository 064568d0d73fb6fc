// Operator keys, found by the hash of their text.
import type { Reads } from '../store.ts';
import type { OperatorKeysTable } from '../tables.ts';
import { type Change, changeIn, deleteBy, findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type OperatorKeyRow = OperatorKeysTable;
type OperatorKeyChanges = Partial<Pick<OperatorKeyRow, 'name' | 'role' | 'status' | 'expires_at'>>;

export const findOperatorKey = findBy('operator_keys', 'id');
export const findOperatorKeyByHash = findBy('operator_keys', 'key_hash');
export const findOperatorKeyByName = findBy('operator_keys', 'name');
export const insertOperatorKey = insertInto('operator_keys');
export const updateOperatorKey: Change<OperatorKeyChanges> = changeIn('operator_keys');
export const deleteOperatorKey = deleteBy('operator_keys', 'id');

/** Newest first. */
export async function listOperatorKeys(reads: Reads, paging: Paging): Promise<OperatorKeyRow[]> {
  return pageOf(reads, 'operator_keys', paging).execute();
}
