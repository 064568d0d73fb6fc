// Access tokens and the digests of their keys.
import type { Reads, Transaction } from '../store.ts';
import { nameMatches } from './name-matches.ts';
import { type Change, changeIn, findBy, insertInto } from './rows.ts';
import { type SortedPaging, sortedPageOf } from './sorting.ts';
import type { TokensTable } from '../tables.ts';

export type TokenRow = TokensTable;
/** Not `used` and `held`: only the ledger moves those; it moves `period_used` too, which a new period sets back. */
export type TokenChanges = Partial<Omit<TokenRow, 'id' | 'used' | 'held' | 'created_at'>>;

const sortable = { name: 'text', used: 'number', created_at: 'number' } as const;

export interface TokenListing extends SortedPaging {
  accountId?: string | undefined;
  /** Who made it in the portal. */
  memberId?: string | undefined;
  status?: TokenRow['status'] | undefined;
  mode?: TokenRow['mode'] | undefined;
  /** SHA-256 of a key of it, in hex. */
  keyHash?: string | undefined;
  /** Part of the name, or the id. */
  q?: string | undefined;
}

export const findToken = findBy('tokens', 'id');

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

/** Newest first, or sorted. */
export async function listTokens(reads: Reads, listing: TokenListing): Promise<TokenRow[]> {
  let query = sortedPageOf(reads, 'tokens', listing, sortable);
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
  return query.execute();
}

export const insertToken = insertInto('tokens');
export const updateToken: Change<TokenChanges> = changeIn('tokens');

export async function hasTokenKey(reads: Reads, keyHash: string): Promise<boolean> {
  const found = reads.selectFrom('token_keys').select('key_hash').where('key_hash', '=', keyHash);
  return (await found.executeTakeFirst()) !== undefined;
}

export const insertTokenKey = insertInto('token_keys');

/** A token that was ended has none. */
export async function hasLiveKey(reads: Reads, tokenId: string, at: number): Promise<boolean> {
  const found = reads
    .selectFrom('token_keys')
    .select('key_hash')
    .where('token_id', '=', tokenId)
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', at)]));
  return (await found.executeTakeFirst()) !== undefined;
}

/** A key that has ended may become another token's. */
export async function forgetEndedKey(transaction: Transaction, keyHash: string, at: number): Promise<void> {
  await transaction.deleteFrom('token_keys').where('key_hash', '=', keyHash).where('ends_at', '<=', at).execute();
}

/** Ended for every clock. The row stays: an import must not give the key to a new token. */
const LONG_AGO = 0;

/** The current key ends at `endsAt`, or now when that is not later; keys of earlier rotations end now. */
export async function endTokenKeys(
  transaction: Transaction,
  tokenId: string,
  { at, endsAt }: { at: number; endsAt: number },
): Promise<void> {
  const keys = transaction.updateTable('token_keys').where('token_id', '=', tokenId);
  await keys.set({ ends_at: LONG_AGO }).where('ends_at', 'is not', null).execute();
  await keys
    .set({ ends_at: endsAt <= at ? LONG_AGO : endsAt })
    .where('ends_at', 'is', null)
    .execute();
}
