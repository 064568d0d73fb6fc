// Codes that are redeemed for money.
import type { Reads, Transaction } from '../store.ts';
import type { CodesTable } from '../tables.ts';

export type CodeRow = CodesTable;

/** Newest first. */
export async function listCodes(
  reads: Reads,
  listing: { redeemed?: boolean | undefined; after?: string | undefined; limit: number },
): Promise<CodeRow[]> {
  let query = reads.selectFrom('codes').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.redeemed !== undefined) query = query.where('redeemed_at', listing.redeemed ? 'is not' : 'is', null);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

export async function insertCodes(transaction: Transaction, rows: CodeRow[]): Promise<void> {
  await transaction.insertInto('codes').values(rows).execute();
}

export async function findCode(reads: Reads, id: string): Promise<CodeRow | undefined> {
  return reads.selectFrom('codes').selectAll().where('id', '=', id).executeTakeFirst();
}

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
