// Usage by hour or day of a time zone and by one name, added up from the sums that the request log keeps (migration 0118).
import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../store.ts';
import type { UsageSumsTable } from '../tables.ts';

const own = (column: keyof UsageSumsTable) => sql<string>`${sql.ref(`usage_sums.${column}`)}`;

/** Of an id, the name that it has elsewhere. */
const nameIn = (table: 'accounts' | 'tokens' | 'channels', column: keyof UsageSumsTable) =>
  sql<string | null>`(select name from ${sql.table(table)} as named where named.id = ${own(column)})`;

/** Of the channel, as far as it is there; `kinds` are joined where it is asked for. */
const PROVIDER = sql<string>`coalesce(kinds.provider, '')`;
const KINDS = sql<{ channel: string; provider: string }>`(select id as channel, provider from channels)`;

const USAGE_KEYS = {
  model: { key: own('model') },
  token: { key: own('token_id'), name: nameIn('tokens', 'token_id') },
  account: { key: own('account_id'), name: nameIn('accounts', 'account_id') },
  channel: { key: own('channel_id'), name: nameIn('channels', 'channel_id') },
  group: { key: own('group_name') },
  provider: { key: PROVIDER },
  endpoint: { key: own('endpoint') },
  status: { key: sql<string>`cast(${own('status')} as text)` },
  mode: { key: own('mode') },
} as const satisfies Record<string, { key: RawBuilder<string>; name?: RawBuilder<string | null> }>;

const RANKS = {
  amount: sql`sum(amount)`,
  requests: sql`sum(requests)`,
  errors: sql`sum(errors)`,
  tokens: sql`sum(input_tokens) + sum(output_tokens)`,
} as const;

export type UsageKeyName = keyof typeof USAGE_KEYS;
export type UsageRankName = keyof typeof RANKS;

type FilterColumn = 'account_id' | 'token_id' | 'channel_id' | 'model' | 'group_name' | 'mode' | 'endpoint' | 'status';

export interface UsageListing {
  /** Both are whole quarters of an hour; `from` is inside the range, `to` is not. */
  from: number;
  to: number;
  /** Seconds; undefined = the whole range is one. */
  bucketLength: number | undefined;
  /** From when on clocks are so far ahead of UTC; none = UTC. */
  spans?: readonly { from: number; offset: number }[] | undefined;
  by: UsageKeyName | undefined;
  /** With one bucket for all: the largest first. */
  rank?: UsageRankName | undefined;
  /** Only these keys. */
  only?: readonly string[] | undefined;
  filters: { [name in FilterColumn]?: UsageSumsTable[name] | undefined };
  provider?: string | undefined;
  /** Status at least or below 400. */
  failed?: boolean | undefined;
  /** Bucket, or value of the rank, and key of the last row of the page before. */
  after: { bucket: number | bigint; key: string } | undefined;
  limit: number;
}

export interface UsageSums extends Record<Exclude<(typeof sums)[number], 'amount'>, number> {
  /** Start of an hour (UTC), or of a day as the zone's clocks show it; `from` where there is one bucket. */
  bucket: number;
  /** '' without `by`. */
  key: string;
  name: string | null;
  amount: bigint;
}

const HOUR = 3600;

/** Oldest first, or by rank. Sums travel as text: each engine has its own idea of the type of a sum. */
export async function listUsage(reads: Reads, listing: UsageListing): Promise<UsageSums[]> {
  const { by, after, rank, only } = listing;
  const bucket = bucketOf(listing);
  const named: { key: RawBuilder<string>; name?: RawBuilder<string | null> } | undefined = by && USAGE_KEYS[by];
  const key = named?.key ?? sql<string>`''`;
  const ranked = rank === undefined ? undefined : RANKS[rank];
  const needsKinds = by === 'provider' || listing.provider !== undefined;
  const source = reads.selectFrom('usage_sums');
  const joined = needsKinds
    ? (source.leftJoin(KINDS.as('kinds'), 'kinds.channel', 'usage_sums.channel_id') as unknown as typeof source)
    : source;
  let query = joined
    .select([bucket.as('at'), key.as('key'), (named?.name ?? sql<null>`null`).as('name')])
    .select(sums.map((name) => sql<string>`cast(sum(${sql.ref(name)}) as text)`.as(name)))
    .where('bucket', '>=', listing.from)
    .where('bucket', '<', listing.to)
    .groupBy([sql`1`, sql`2`, ...(named?.name === undefined ? [] : [key])])
    .limit(listing.limit);
  query = ranked === undefined ? query.orderBy(sql`1`).orderBy(sql`2`) : query.orderBy(ranked, 'desc').orderBy(sql`2`);
  for (const [column, value] of Object.entries(listing.filters)) {
    if (value !== undefined) query = query.where(column as FilterColumn, '=', value);
  }
  if (listing.provider !== undefined) query = query.where(sql<boolean>`${PROVIDER} = ${listing.provider}`);
  if (listing.failed !== undefined)
    query = listing.failed ? query.where('status', '>=', 400) : query.where('status', '<', 400);
  if (only !== undefined) query = query.where(sql<boolean>`${key} in (${sql.join(only)})`);
  if (after !== undefined) {
    const value = ranked ?? bucket;
    const behind = ranked === undefined ? sql`>` : sql`<`;
    // Written out: the engines take a parameter for different types.
    const at = sql.raw(String(after.bucket));
    query = query.having(sql<boolean>`(${value} ${behind} ${at} or (${value} = ${at} and ${key} > ${after.key}))`);
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    bucket: listing.bucketLength === undefined ? listing.from : row.at,
    key: row.key,
    name: row.name,
    ...(Object.fromEntries(sums.map((name) => [name, Number(row[name])])) as Record<(typeof sums)[number], number>),
    amount: BigInt(row.amount),
  }));
}

/** Of a day, what the clocks of the zone show when it begins; of an hour, the moment: an hour that comes twice is two. */
function bucketOf({ bucketLength, spans = [] }: UsageListing): RawBuilder<number> {
  if (bucketLength === undefined) return sql<number>`0`;
  const length = sql.lit(bucketLength);
  const [first, ...later] = spans;
  if (first === undefined || spans.every(({ offset }) => offset === 0))
    return sql<number>`floor(bucket / ${length}) * ${length}`;
  const cases = later.map(
    ({ from }, index) => sql`when bucket < ${sql.lit(from)} then ${sql.lit(spans[index]?.offset ?? 0)}`,
  );
  const last = sql.lit(spans.at(-1)?.offset ?? 0);
  const offset = later.length === 0 ? sql`${last}` : sql`case ${sql.join(cases, sql` `)} else ${last} end`;
  const local = sql`floor((bucket + (${offset})) / ${length}) * ${length}`;
  return bucketLength === HOUR ? sql<number>`${local} - (${offset})` : sql<number>`${local}`;
}

/** By what a row is ranked. */
export function rankOf(row: UsageSums, rank: UsageRankName): bigint | number {
  if (rank === 'tokens') return row.input_tokens + row.output_tokens;
  return row[rank];
}

const sums = [
  'requests',
  'errors',
  'input_tokens',
  'output_tokens',
  'milliseconds',
  'images',
  'amount',
  'first_byte_ms',
  'first_bytes',
  'total_ms',
] as const;
