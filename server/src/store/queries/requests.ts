// The request log, read. Its lines are written together with the money (store/ledger).
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Reads } from '../store.ts';
import type { RequestsTable, Tables } from '../tables.ts';
import { textMatches } from './name-matches.ts';
import { findBy } from './rows.ts';
import { lacksStatistics } from './lacks-statistics.ts';
import {
  BATCH_RANGES,
  compareNewestFirst,
  ID_KINDS,
  type IdKind,
  rangeBehind,
  rangeOfKind,
  rangeOfTimes,
} from './request-order.ts';

export interface RequestListing {
  id?: string | undefined;
  accountId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  channelId?: string | undefined;
  provider?: string | undefined;
  endpoint?: string | undefined;
  group?: string | undefined;
  mode?: RequestsTable['mode'] | undefined;
  /** As sums of usage see it (migration 0118). */
  lacks?: keyof typeof LACKING | undefined;
  status?: number | undefined;
  errorCode?: string | undefined;
  usageSource?: RequestsTable['usage_source'] | undefined;
  /** Only those that used something without a price. */
  unpriced?: boolean | undefined;
  /** Status at least this. */
  least?: number | undefined;
  /** Status below this. */
  below?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Last id of the page before. */
  after?: string | undefined;
  limit: number;
}

type RequestColumns = ExpressionBuilder<Tables, 'requests'>;

/** What sums of usage count under ''. */
const LACKING = {
  model: sql<SqlBool>`(model is null or error_code = 'model_not_found')`,
  endpoint: sql<SqlBool>`model is null`,
  channel: sql<SqlBool>`channel_id is null`,
  account: sql<SqlBool>`account_id = ''`,
} as const;

/** Filters beside owner and time. */
const MORE = [
  'model',
  'channelId',
  'provider',
  'endpoint',
  'group',
  'mode',
  'lacks',
  'status',
  'errorCode',
  'usageSource',
  'unpriced',
  'least',
  'below',
] as const satisfies (keyof RequestListing)[];

const GOOD = 200;
/** Lines of an owner that are soon looked through one by one. */
const FEW = 5000;

export const findRequest: (reads: Reads, id: string) => Promise<RequestsTable | undefined> = findBy('requests', 'id');

/**
 * Newest first: request ids begin with their time. `from` is inside the range, `to` is not. The ids are found first, of each
 * kind by itself, by indexes that hold all filters (migration 0060), so that lines which do not fit are never read.
 */
export async function listRequests(reads: Reads, listing: RequestListing): Promise<RequestsTable[]> {
  const byOwner = await isLedByOwner(reads, listing);
  const ofKind = (kind: IdKind) => {
    const found = reads
      .selectFrom('requests')
      .select('id')
      .where((row) =>
        row.and([...ofOwner(row, listing, byOwner), ...ofFilters(row, listing), ...inRange(row, listing, kind)]),
      )
      .orderBy('id', 'desc')
      .limit(listing.limit);
    return reads.selectFrom(found.as(`of_${kind}`)).select('id');
  };
  const [requests, ...lines] = [ofKind('req'), ...ID_KINDS.filter((kind) => kind !== 'req').map(ofKind)] as const;
  const found = lines.reduce((all, more) => all.unionAll(more), requests);
  const rows = await reads.selectFrom('requests').selectAll().where('id', 'in', found).execute();
  return rows.sort(compareNewestFirst).slice(0, listing.limit);
}

/** False where the engine would follow the index of an owner with many lines to its end, for want of a better idea. */
async function isLedByOwner(reads: Reads, listing: RequestListing): Promise<boolean> {
  const { tokenId, accountId } = listing;
  if (tokenId === undefined && accountId === undefined) return true;
  const hasMore = MORE.some((name) => listing[name] !== undefined);
  if (!hasMore || !lacksStatistics(reads)) return true;
  const some = reads
    .selectFrom('requests')
    .select('id')
    .where((row) => row.and([...ofOwner(row, listing, true), ...inRange(row, listing, 'req')]))
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
  const { id, model, channelId, provider, endpoint, group, mode, lacks } = listing;
  const { status, errorCode, usageSource, unpriced, least, below } = listing;
  const isOdd = (status !== undefined && status !== GOOD) || least !== undefined || errorCode !== undefined;
  return [
    ...(id === undefined ? [] : [row('id', '=', id)]),
    ...(model === undefined ? [] : [textMatches('model', model)]),
    ...(channelId === undefined ? [] : [row('channel_id', '=', channelId)]),
    ...(provider === undefined
      ? []
      : [row('channel_id', 'in', row.selectFrom('channels').select('channels.id').where('provider', '=', provider))]),
    ...(endpoint === undefined ? [] : [row('endpoint', '=', endpoint)]),
    ...(group === undefined ? [] : [row('group_name', '=', group)]),
    ...(mode === undefined ? [] : [row('mode', '=', mode)]),
    ...(lacks === undefined ? [] : [LACKING[lacks]]),
    ...(status === undefined ? [] : [row('status', '=', status)]),
    ...(below === undefined ? [] : [row('status', '<', below)]),
    ...(least === undefined ? [] : [row('status', '>=', least)]),
    ...(errorCode === undefined ? [] : [textMatches('error_code', errorCode)]),
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
function inRange(row: RequestColumns, { from, to, after }: RequestListing, kind: IdKind) {
  const ranges = [rangeOfKind(kind), rangeOfTimes(kind, { from, to }), rangeBehind(kind, after)];
  return [
    ...(from === undefined ? [] : [row('created_at', '>=', from)]),
    ...(to === undefined ? [] : [row('created_at', '<', to)]),
    ...ranges.flatMap(({ least, below }) => [
      ...(least === undefined ? [] : [row('id', '>=', least)]),
      ...(below === undefined ? [] : [row('id', '<', below)]),
    ]),
    ...(kind === 'req'
      ? BATCH_RANGES.map((range) => row.or([row('id', '<', range.least), row('id', '>=', range.below)]))
      : []),
  ];
}
