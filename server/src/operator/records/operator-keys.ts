// Operator keys as operators see them. The text of a key is in the answer of its create, and nowhere else.
import type { OperatorKey, OperatorKeyCreate, OperatorKeyPatch } from '#contract/operator-keys.ts';
import { maskAccessToken } from '../../access/access-token.ts';
import { makeIdOfSecond, randomLetters } from '../../shared/ids.ts';
import {
  deleteOperatorKey,
  findOperatorKey,
  findOperatorKeyByName,
  insertOperatorKey,
  type OperatorKeyRow,
  updateOperatorKey,
} from '../../store/queries/operator-keys.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { refuseTaken, required } from '../not-found.ts';
import { digest } from '../sign-in/session-cookie.ts';
import { given } from './json-columns.ts';

export const KEY_PREFIX = 'tgo_';
const LETTERS = 48;

export function writeOperatorKey(row: OperatorKeyRow): OperatorKey {
  const { id, name, role, status, expires_at, key_hint, created_by, created_at } = row;
  return withEtag({ id, name, role, status, expires_at, key_hint, created_by, created_at });
}

export async function getOperatorKey(reads: Reads, id: string): Promise<OperatorKey> {
  return writeOperatorKey(required(await findOperatorKey(reads, id), 'operator key', id));
}

export async function createOperatorKey(
  transaction: Transaction,
  input: OperatorKeyCreate,
  { at, author }: { at: number; author: string },
): Promise<{ made: OperatorKey; key: string }> {
  await refuseTakenName(transaction, input.name);
  const key = KEY_PREFIX + randomLetters(LETTERS);
  const row: OperatorKeyRow = {
    id: makeIdOfSecond('opk', at),
    ...input,
    key_hash: digest(key),
    key_hint: maskAccessToken(key),
    created_by: author,
    created_at: at,
  };
  await insertOperatorKey(transaction, row);
  return { made: writeOperatorKey(row), key };
}

export async function changeOperatorKey(
  transaction: Transaction,
  id: string,
  patch: OperatorKeyPatch,
): Promise<{ before: OperatorKey; after: OperatorKey }> {
  const before = await getOperatorKey(transaction, id);
  if (patch.name !== undefined && patch.name !== before.name) await refuseTakenName(transaction, patch.name);
  await updateOperatorKey(transaction, id, given(patch, 'name', 'role', 'status', 'expires_at'));
  return { before, after: await getOperatorKey(transaction, id) };
}

export async function removeOperatorKey(transaction: Transaction, id: string): Promise<OperatorKey> {
  const removed = await getOperatorKey(transaction, id);
  await deleteOperatorKey(transaction, id);
  return removed;
}

async function refuseTakenName(reads: Reads, name: string): Promise<void> {
  refuseTaken(await findOperatorKeyByName(reads, name), `There is an operator key named "${name}" already.`);
}
