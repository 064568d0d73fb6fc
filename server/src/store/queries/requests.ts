// The request log, read. Its lines are written together with the money (store/ledger).
import type { Reads } from '../store.ts';
import { firstIdAt } from '../../shared/ids.ts';
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

/** Between the making of an id and the time written into the line lies no more than this. */
const SLACK_SECONDS = 3600;

export async function findRequest(reads: Reads, id: string): Promise<RequestsTable | undefined> {
  return reads.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first: request ids begin with their time. `from` is inside the range, `to` is not. */
export async function listRequests(reads: Reads, listing: RequestListing): Promise<RequestsTable[]> {
  let query = reads.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.tokenId !== undefined) query = query.where('token_id', '=', listing.tokenId);
  if (listing.model !== undefined) query = query.where('model', '=', listing.model);
  if (listing.status !== undefined) query = query.where('status', '=', listing.status);
  if (listing.least !== undefined) query = query.where('status', '>=', listing.least);
  if (listing.from !== undefined)
    query = query.where('created_at', '>=', listing.from).where('id', '>=', idFrom(listing.from - SLACK_SECONDS));
  if (listing.to !== undefined)
    query = query.where('created_at', '<', listing.to).where('id', '<', idFrom(listing.to + SLACK_SECONDS));
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

/** The key is ordered by time too, so that a range in the past is not searched for from the newest line on. */
function idFrom(seconds: number): string {
  return firstIdAt('req', Math.max(0, seconds) * 1000);
}
