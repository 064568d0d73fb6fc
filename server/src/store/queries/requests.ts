// The request log, read. Its lines are written together with the money (store/ledger).
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Reads } from '../store.ts';
import type { RequestsTable, Tables } from '../tables.ts';
import { planByHand } from './plan-by-hand.ts';
import { orderedIdsOfTimes } from './times-as-ids.ts';

export interface RequestListing {
  id?: string | undefined;
  accountId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  channelId?: string | undefined;
  status?: number | undefined;
  errorCode?: string | undefined;
  usageSource?: RequestsTable['usage_source'] | undefined;
  /** Only those that used something without a price. */
  unpriced?: boolean | undefined;
  /** Status at least this. */
  least?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Last id of the page before. */
  after?: string | undefined;
  limit: number;
}

type RequestColumns = ExpressionBuilder<Tables, 'requests'>;

const GOOD = 200;
/** Lines of an owner that are soon looked through one by one. */
const FEW = 5000;

export async function findRequest(reads: Reads, id: string): Promise<RequestsTable | undefined> {
  return reads.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Newest first: request ids begin with their time. `from` is inside the range, `to` is not. The ids are found first, by
 * indexes that hold all filters (migration 0060), so that lines which do not fit are never read.
 */
export async function listRequests(reads: Reads, listing: RequestListing): Promise<RequestsTable[]> {
  const byOwner = await isLedByOwner(reads, listing);
  const found = reads
    .selectFrom('requests')
    .select('id')
    .where((row) => row.and([...ofOwner(row, listing, byOwner), ...ofFilters(row, listing), ...inRange(row, listing)]))
    .orderBy('id', 'desc')
    .limit(listing.limit);
  return reads.selectFrom('requests').selectAll().where('id', 'in', found).orderBy('id', 'desc').execute();
}

/** False where the engine would follow the index of an owner with many lines to its end, for want of a better idea. */
async function isLedByOwner(reads: Reads, listing: RequestListing): Promise<boolean> {
  const { tokenId, accountId, model, channelId, status, errorCode, usageSource, unpriced, least } = listing;
  if (tokenId === undefined && accountId === undefined) return true;
  const filters = [model, channelId, status, errorCode, usageSource, unpriced, least];
  const hasMore = filters.some((filter) => filter !== undefined);
  if (!hasMore || !planByHand(reads)) return true;
  const some = reads
    .selectFrom('requests')
    .select('id')
    .where((row) => row.and([...ofOwner(row, listing, true), ...inRange(row, listing)]))
    .limit(FEW);
  const { count } = await reads
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) < FEW;
}

function ofOwner(row: RequestColumns, { tokenId, accountId }: RequestListing, byIndex: boolean) {
  const is = (column: 'token_id' | 'account_id', value: string) =>
    byIndex ? row(column, '=', value) : sql<SqlBool>`+${sql.ref(column)} = ${value}`; // the sign keeps SQLite from its index
  return [
    ...(tokenId === undefined ? [] : [is('token_id', tokenId)]),
    ...(accountId === undefined ? [] : [is('account_id', accountId)]),
  ];
}

function ofFilters(row: RequestColumns, listing: RequestListing) {
  const { id, model, channelId, status, errorCode, usageSource, unpriced, least } = listing;
  const isOdd = (status !== undefined && status !== GOOD) || least !== undefined || errorCode !== undefined;
  return [
    ...(id === undefined ? [] : [row('id', '=', id)]),
    ...(model === undefined ? [] : [row('model', '=', model)]),
    ...(channelId === undefined ? [] : [row('channel_id', '=', channelId)]),
    ...(status === undefined ? [] : [row('status', '=', status)]),
    ...(least === undefined ? [] : [row('status', '>=', least)]),
    ...(errorCode === undefined ? [] : [row('error_code', '=', errorCode)]),
    // As a literal, so that the index of just these lines is used (migration 0085).
    ...(usageSource === 'bounded' ? [sql<SqlBool>`usage_source = 'bounded'`] : []),
    ...(usageSource === undefined || usageSource === null || usageSource === 'bounded'
      ? []
      : [row('usage_source', '=', usageSource)]),
    // Word for word the condition of their index (migration 0089).
    ...(unpriced === true ? [sql<SqlBool>`arithmetic like '%; unpriced: %'`] : []),
    // Word for word the condition of the index of lines that are not simply good: only then it is used.
    ...(isOdd ? [sql<SqlBool>`(status <> 200 or error_code is not null)`] : []),
  ];
}

/** The key is ordered by time too, so that a range in the past is not searched for from the newest line on. */
function inRange(row: RequestColumns, { from, to, after }: RequestListing) {
  const { first, last } = orderedIdsOfTimes('req', { from, to });
  return [
    ...(from === undefined ? [] : [row('created_at', '>=', from)]),
    ...(to === undefined ? [] : [row('created_at', '<', to)]),
    ...(first === undefined ? [] : [row('id', '>=', first)]),
    ...(last === undefined ? [] : [row('id', '<', last)]),
    ...(after === undefined ? [] : [row('id', '<', after)]),
  ];
}
