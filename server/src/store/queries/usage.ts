// Usage by hour or day and by one name, added up from the hourly sums that the request log keeps (migration 0020).
import { sql } from 'kysely';
import type { Reads } from '../store.ts';
import type { UsageSumsTable } from '../tables.ts';

const USAGE_KEYS = {
  model: 'model',
  token: 'token_id',
  account: 'account_id',
  channel: 'channel_id',
  group: 'group_name',
} as const satisfies Record<string, keyof UsageSumsTable>;

export type UsageKeyName = keyof typeof USAGE_KEYS;

export interface UsageListing {
  /** Both are whole hours; `from` is inside the range, `to` is not. */
  from: number;
  to: number;
  /** Seconds. */
  bucketLength: number;
  by: UsageKeyName | undefined;
  filters: Partial<Pick<UsageSumsTable, 'account_id' | 'token_id' | 'channel_id' | 'model' | 'group_name' | 'mode'>>;
  /** Bucket and key of the last row of the page before. */
  after: { bucket: number; key: string } | undefined;
  limit: number;
}

export interface UsageSums {
  bucket: number;
  /** '' without `by`. */
  key: string;
  requests: number;
  errors: number;
  input_tokens: number;
  output_tokens: number;
  milliseconds: number;
  images: number;
  amount: bigint;
  first_byte_ms: number;
  first_bytes: number;
  total_ms: number;
}

/** Oldest first. Sums travel as text: each engine has its own idea of the type of a sum. */
export async function listUsage(reads: Reads, listing: UsageListing): Promise<UsageSums[]> {
  const { bucketLength, by, after } = listing;
  const bucket = sql<number>`floor(bucket / ${sql.lit(bucketLength)}) * ${sql.lit(bucketLength)}`;
  const key = by === undefined ? sql<string>`''` : sql<string>`${sql.ref(USAGE_KEYS[by])}`;
  let query = reads
    .selectFrom('usage_sums')
    .select([bucket.as('at'), key.as('key')])
    .select(sums.map((name) => sql<string>`cast(sum(${sql.ref(name)}) as text)`.as(name)))
    .where('bucket', '>=', listing.from)
    .where('bucket', '<', listing.to)
    .groupBy([sql`1`, sql`2`])
    .orderBy(sql`1`)
    .orderBy(sql`2`)
    .limit(listing.limit);
  for (const [column, value] of Object.entries(listing.filters)) {
    if (value !== undefined) query = query.where(column as keyof typeof listing.filters, '=', value);
  }
  if (after !== undefined) {
    query = query.having(
      sql<boolean>`(${bucket} > ${after.bucket} or (${bucket} = ${after.bucket} and ${key} > ${after.key}))`,
    );
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    bucket: row.at,
    key: row.key,
    ...(Object.fromEntries(sums.map((name) => [name, Number(row[name])])) as Omit<
      UsageSums,
      'bucket' | 'key' | 'amount'
    >),
    amount: BigInt(row.amount),
  }));
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
