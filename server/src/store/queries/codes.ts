// Codes that are redeemed for money.
import type { Reads, Transaction } from '../store.ts';
import type { CodesTable } from '../tables.ts';
import { findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type CodeRow = CodesTable;

/** Newest first. */
export async function listCodes(
  reads: Reads,
  { redeemed, ...paging }: Paging & { redeemed?: boolean | undefined },
): Promise<CodeRow[]> {
  const query = pageOf(reads, 'codes', paging);
  return (redeemed === undefined ? query : query.where('redeemed_at', redeemed ? 'is not' : 'is', null)).execute();
}

export const insertCodes = insertInto('codes');
export const findCode = findBy('codes', 'id');

/** Marks it as used and says what it is worth; undefined where it does not exist, is over, or was used before. */
export async function takeCode(
  transaction: Transaction,
  hash: string,
  by: { accountId: string; memberId: string; at: number },
): Promise<CodeRow | undefined> {
  return transaction
    .updateTable('codes')
    .set({ redeemed_at: by.at, account_id: by.accountId, member_id: by.memberId })
    .where('code_hash', '=', hash)
    .where('redeemed_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', by.at)]))
    .returningAll()
    .executeTakeFirst();
}

export async function noteCredit(transaction: Transaction, id: string, ledgerId: bigint): Promise<void> {
  await transaction.updateTable('codes').set({ ledger_id: ledgerId }).where('id', '=', id).execute();
}

/** Only one that nobody has redeemed. */
export async function deleteCode(transaction: Transaction, id: string): Promise<boolean> {
  const gone = await transaction
    .deleteFrom('codes')
    .where('id', '=', id)
    .where('redeemed_at', 'is', null)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}
