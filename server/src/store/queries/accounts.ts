// Accounts and their balance.
import type { Reads, Transaction } from '../store.ts';
import { nameMatches } from './name-matches.ts';
import { type Change, changeIn, findBy, insertInto } from './rows.ts';
import { type SortedPaging, sortedPageOf } from './sorting.ts';
import type { AccountsTable } from '../tables.ts';

export type AccountRow = AccountsTable;
/** Not `balance`: only credits and the ledger move that. */
export type AccountChanges = Partial<
  Pick<
    AccountRow,
    | 'name'
    | 'group_name'
    | 'status'
    | 'models'
    | 'rate'
    | 'budget'
    | 'budget_period'
    | 'budget_start'
    | 'budget_used'
    | 'external_id'
  >
>;

const sortable = { name: 'text', balance: 'number', created_at: 'number' } as const;

export interface AccountListing extends SortedPaging {
  group?: string | undefined;
  status?: AccountRow['status'] | undefined;
  externalId?: string | undefined;
  /** Part of the name, or the id. */
  q?: string | undefined;
}

/** The oldest of those that have it. */
export async function findAccountByName(reads: Reads, name: string): Promise<AccountRow | undefined> {
  return reads.selectFrom('accounts').selectAll().where('name', '=', name).orderBy('id').limit(1).executeTakeFirst();
}

export const findAccount = findBy('accounts', 'id');
export const findAccountByExternalId = findBy('accounts', 'external_id');

/** Newest first, or sorted. */
export async function listAccounts(reads: Reads, listing: AccountListing): Promise<AccountRow[]> {
  let query = sortedPageOf(reads, 'accounts', listing, sortable);
  if (listing.group !== undefined) query = query.where('group_name', '=', listing.group);
  if (listing.status !== undefined) query = query.where('status', '=', listing.status);
  if (listing.externalId !== undefined) query = query.where('external_id', '=', listing.externalId);
  if (listing.q !== undefined) query = query.where(nameMatches(listing.q));
  return query.execute();
}

export const insertAccount = insertInto('accounts');
export const updateAccount: Change<AccountChanges> = changeIn('accounts');

/**
 * Moves the free balance and keeps it between the two bounds; undefined when that cannot be done. The bounds are checked
 * by the statement itself, because holds move the balance at the same time.
 */
export async function moveBalance(
  transaction: Transaction,
  id: string,
  move: { by: bigint; minimum: bigint; maximum: bigint },
): Promise<bigint | undefined> {
  const { numUpdatedRows } = await transaction
    .updateTable('accounts')
    .set((columns) => ({ balance: columns('balance', '+', move.by) }))
    .where('id', '=', id)
    .where('balance', '>=', move.minimum - move.by)
    .where('balance', '<=', move.maximum - move.by)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  const row = await transaction.selectFrom('accounts').select('balance').where('id', '=', id).executeTakeFirstOrThrow();
  return row.balance;
}
