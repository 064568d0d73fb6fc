// Access tokens and the digests of their keys.
import type { Reads, Transaction } from '../store.ts';
import { nameMatches } from './name-matches.ts';
import type { TokenKeysTable, TokensTable } from '../tables.ts';

export type TokenRow = TokensTable;
/** Not `used` and `held`: only the ledger moves those; it moves `period_used` too, which a new period sets back. */
export type TokenChanges = Partial<Omit<TokenRow, 'id' | 'used' | 'held' | 'created_at'>>;

export interface TokenListing {
  accountId?: string | undefined;
  /** Who made it in the portal. */
  memberId?: string | undefined;
  status?: TokenRow['status'] | undefined;
  mode?: TokenRow['mode'] | undefined;
  /** SHA-256 of a key of it, in hex. */
  keyHash?: string | undefined;
  /** Part of the name, or the id. */
  q?: string | undefined;
  /** Last id of the page before. */
  after?: string | undefined;
  limit: number;
}

export async function findToken(reads: Reads, id: string): Promise<TokenRow | undefined> {
  return reads.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The oldest of those that have it. */
export async function findTokenByName(reads: Reads, accountId: string, name: string): Promise<TokenRow | undefined> {
  return reads
    .selectFrom('tokens')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Newest first. */
export async function listTokens(reads: Reads, listing: TokenListing): Promise<TokenRow[]> {
  let query = reads.selectFrom('tokens').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.memberId !== undefined) query = query.where('member_id', '=', listing.memberId);
  if (listing.status !== undefined) query = query.where('status', '=', listing.status);
  if (listing.mode !== undefined) query = query.where('mode', '=', listing.mode);
  if (listing.keyHash !== undefined) {
    const { keyHash } = listing;
    query = query.where('id', 'in', (sub) =>
      sub.selectFrom('token_keys').select('token_id').where('key_hash', '=', keyHash),
    );
  }
  if (listing.q !== undefined) query = query.where(nameMatches(listing.q));
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

export async function insertToken(transaction: Transaction, row: TokenRow): Promise<void> {
  await transaction.insertInto('tokens').values(row).execute();
}

export async function updateToken(transaction: Transaction, id: string, changes: TokenChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await transaction.updateTable('tokens').set(changes).where('id', '=', id).execute();
}

export async function hasTokenKey(reads: Reads, keyHash: string): Promise<boolean> {
  const found = reads.selectFrom('token_keys').select('key_hash').where('key_hash', '=', keyHash);
  return (await found.executeTakeFirst()) !== undefined;
}

export async function insertTokenKey(transaction: Transaction, row: TokenKeysTable): Promise<void> {
  await transaction.insertInto('token_keys').values(row).execute();
}

/** The current key ends at `endsAt`, or now when that is not later; keys of earlier rotations end now. */
export async function endTokenKeys(
  transaction: Transaction,
  tokenId: string,
  { at, endsAt }: { at: number; endsAt: number },
): Promise<void> {
  const ended = transaction.deleteFrom('token_keys').where('token_id', '=', tokenId);
  if (endsAt <= at) {
    await ended.execute();
    return;
  }
  await ended.where('ends_at', 'is not', null).execute();
  await transaction.updateTable('token_keys').set({ ends_at: endsAt }).where('token_id', '=', tokenId).execute();
}
