// /usage: what was used and charged, by hour or day of a time zone and by one name; when no process of the gateway ran; and how
// long requests took.
import { outageList, outageQuery, type UsageQuery, type UsageRow, usageList, usageQuery } from '#contract/usage.ts';
import { type Percentiles, usageTimes, usageTimesQuery } from '#contract/usage-times.ts';
import { ZoneClock } from '#contract/values/time-zones.ts';
import { formatAmount } from '../../billing/money.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { listOutages } from '../../store/queries/gateway-runs.ts';
import { countTimes, percentile, type TimeCount, type TimesListing } from '../../store/queries/request-times.ts';
import { listUsage, rankOf, type UsageListing, type UsageSums } from '../../store/queries/usage.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor, readWhole, writePage } from '../list-page.ts';
import { failuresOfList, route } from '../operation.ts';

const LENGTHS = { hour: 3600, day: 86_400, all: 86_400 } as const;
/** Hours of half a year, days of ten years: enough for any chart, and a bound on the work. */
const MOST_BUCKETS = 4400;
/** Eleven years: nothing that was logged is older. So 0 may stand for the beginning of all. */
const OLDEST = 4000 * 86_400;
const DEFAULT_SPAN = { hour: 86_400, day: 30 * 86_400, all: 30 * 86_400 } as const;
const QUARTER = 900;
const OUTAGES_SPAN = 30 * 86_400;
const LONGEST_TIMES = 86_400;

export function usageRoutes(app: OperatorApp, { store: { lists }, clock, currency }: OperatorDependencies): void {
  app.get(
    '/usage',
    route('Usage', 'Sums of requests, errors, usage and charges, oldest first', {
      querystring: usageQuery,
      response: { 200: usageList, ...failuresOfList },
    }),
    async ({ query }) => {
      const { by, limit, cursor, rank, bucket } = query;
      if (rank !== undefined && bucket !== 'all') throw invalidRequest('"rank" needs "bucket" to be all.', 'rank');
      if (query.only !== undefined && by === undefined) throw invalidRequest('"only" needs "by".', 'only');
      const { zone, ...range } = rangeOf(query, unixSeconds(clock));
      const rows = await listUsage(lists, {
        ...range,
        spans: zone?.spans,
        by,
        rank,
        only: query.only,
        filters: {
          account_id: query.account_id,
          token_id: query.token_id,
          channel_id: query.channel_id,
          model: query.model,
          group_name: query.group,
          mode: query.mode,
          endpoint: query.endpoint,
          status: query.status,
        },
        provider: query.provider,
        failed: query.failed === undefined ? undefined : query.failed === 'true',
        after: readUsageCursor(cursor),
        limit: limit + 1,
      });
      const page = writePage(rows, limit, {
        key: (row) => `${rank === undefined ? row.bucket : rankOf(row, rank)} ${row.key}`,
        write: (row) => writeRow(row, { by, start: bucket === 'day' ? zone?.utcOf(row.bucket) : undefined }),
      });
      return { ...page, currency };
    },
  );

  app.get(
    '/usage/outages',
    route('Usage', 'Times in which the gateway did not run, oldest first', {
      querystring: outageQuery,
      response: { 200: outageList, ...failuresOfList },
    }),
    async ({ query }) => {
      const now = unixSeconds(clock);
      const to = query.to ?? now;
      const from = query.from ?? Math.max(0, to - OUTAGES_SPAN);
      if (from >= to) throw invalidRequest('"from" must be before "to".', 'from');
      return { data: await listOutages(lists, { from, to, now }), next_cursor: null };
    },
  );

  app.get(
    '/usage/times',
    route('Usage', 'Percentiles of the times of requests, over a day at most', {
      querystring: usageTimesQuery,
      response: { 200: usageTimes, ...failuresOfList },
    }),
    async ({ query: { from, to, ...filters } }) => {
      const end = to ?? unixSeconds(clock) + 1;
      const begin = from ?? Math.max(0, end - LONGEST_TIMES);
      if (begin >= end) throw invalidRequest('"from" must be before "to".', 'from');
      if (end - begin > LONGEST_TIMES) throw invalidRequest('"from" must be at most a day before "to".', 'from');
      const listing: TimesListing = { from: begin, to: end, filters: filters as TimesListing['filters'] };
      const total = await countTimes(lists, 'total_ms', listing);
      const first = await countTimes(lists, 'first_byte_ms', listing);
      return { from: begin, to: end, first_byte_ms: percentilesOf(first), total_ms: percentilesOf(total) };
    },
  );
}

type Range = Pick<UsageListing, 'from' | 'to' | 'bucketLength'> & { zone: ZoneClock | undefined };

function rangeOf({ from, to, bucket, zone: name }: UsageQuery, now: number): Range {
  const length = LENGTHS[bucket];
  const end = to ?? now + 1;
  const asked = from ?? Math.max(0, end - DEFAULT_SPAN[bucket]);
  if (asked >= end) throw invalidRequest('"from" must be before "to".', 'from');
  const begin = bucket === 'hour' ? asked : Math.max(asked, Math.min(end, now) - OLDEST);
  if ((end - begin) / length > MOST_BUCKETS) {
    throw invalidRequest(
      `"from" must be at most ${MOST_BUCKETS} ${bucket === 'all' ? 'day' : bucket}s before "to".`,
      'from',
    );
  }
  const zone = name === undefined ? undefined : new ZoneClock(name, { from: begin, to: end });
  // Whole buckets: sums cannot be cut.
  if (bucket === 'all' || zone === undefined) {
    const step = bucket === 'all' ? QUARTER : length;
    return {
      from: Math.floor(begin / step) * step,
      to: Math.ceil(end / step) * step,
      bucketLength: bucket === 'all' ? undefined : length,
      zone,
    };
  }
  const startOf = (at: number): number => (bucket === 'day' ? zone.dayOf(at) : zone.hourOf(at));
  const last = startOf(end);
  return {
    from: Math.max(0, startOf(begin)),
    to: last === end ? last : zone.next(bucket, last),
    bucketLength: length,
    zone,
  };
}

function readUsageCursor(cursor: string | undefined): UsageListing['after'] {
  const text = readCursor(cursor);
  if (text === undefined) return undefined;
  const match = /^(-?\d+) (.*)$/.exec(text);
  if (match === null) throw invalidRequest('"cursor" must be the next_cursor of the page before.', 'cursor');
  return { bucket: readWhole(match[1] ?? ''), key: match[2] ?? '' };
}

function writeRow(row: UsageSums, { by, start }: { by: UsageQuery['by']; start: number | undefined }): UsageRow {
  return {
    bucket: start ?? row.bucket,
    ...(by !== undefined && { [by]: row.key }),
    ...((by === 'account' || by === 'token' || by === 'channel') && { name: row.name }),
    requests: row.requests,
    errors: row.errors,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    seconds: row.milliseconds / 1000,
    images: row.images,
    amount: formatAmount(row.amount),
    first_byte_ms: row.first_bytes === 0 ? null : Math.round(row.first_byte_ms / row.first_bytes),
    total_ms: row.requests === 0 ? null : Math.round(row.total_ms / row.requests),
  };
}

function percentilesOf(counts: readonly TimeCount[]): Percentiles {
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), p99: percentile(counts, 0.99) };
}
