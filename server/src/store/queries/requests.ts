// The request log, read. Its lines are written together with the money (store/ledger).
import type { Reads } from '../store.ts';
import type { RequestsTable } from '../tables.ts';

export interface RequestListing {
  accountId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  status?: number | undefined;
  /** Status at least this. */
  least?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Last id of the page before. */
  after?: string | undefined;
  limit: number;
}

export async function findRequest(reads: Reads, id: string): Promise<RequestsTable | undefined> {
  return reads.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first: request ids begin with their time. `from` is inside the range, `to` is not. */
export async function listRequests(reads: Reads, listing: RequestListing): Promise<RequestsTable[]> {
  let query = reads.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.tokenId !== undefined) {
    const account = reads.selectFrom('tokens').select('account_id').where('id', '=', listing.tokenId);
    query = query.where('token_id', '=', listing.tokenId).where('account_id', '=', account); // the index is by account
  }
  if (listing.model !== undefined) query = query.where('model', '=', listing.model);
  if (listing.status !== undefined) query = query.where('status', '=', listing.status);
  if (listing.least !== undefined) query = query.where('status', '>=', listing.least);
  if (listing.from !== undefined) query = query.where('created_at', '>=', listing.from);
  if (listing.to !== undefined) query = query.where('created_at', '<', listing.to);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}
