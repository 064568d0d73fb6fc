// /usage: what was used and charged, by hour or day and by one name.
import { type UsageQuery, type UsageRow, usageList, usageQuery } from '#contract/usage.ts';
import { formatAmount } from '../../billing/money.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { listUsage, type UsageListing, type UsageSums } from '../../store/queries/usage.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor, writePage } from '../list-page.ts';
import { failuresOfList, operation } from '../operation.ts';

const LENGTHS = { hour: 3600, day: 86_400 } as const;
/** Hours of half a year, days of ten years: enough for any chart, and a bound on the work. */
const MOST_BUCKETS = 4400;
const DEFAULT_SPAN = { hour: 86_400, day: 30 * 86_400 } as const;

export function usageRoutes(app: OperatorApp, { store: { lists }, clock }: OperatorDependencies): void {
  app.get(
    '/usage',
    {
      schema: {
        ...operation('Usage', 'Sums of requests, errors, usage and charges, oldest first'),
        querystring: usageQuery,
        response: { 200: usageList, ...failuresOfList },
      },
    },
    async ({ query }) => {
      const { by, limit, cursor } = query;
      const rows = await listUsage(lists, {
        ...rangeOf(query, unixSeconds(clock)),
        by,
        filters: {
          account_id: query.account_id,
          token_id: query.token_id,
          channel_id: query.channel_id,
          model: query.model,
          group_name: query.group,
          mode: query.mode,
        } as UsageListing['filters'],
        after: readUsageCursor(cursor),
        limit: limit + 1,
      });
      return writePage(rows, limit, { key: (row) => `${row.bucket} ${row.key}`, write: (row) => writeRow(row, by) });
    },
  );
}

function rangeOf({ from, to, bucket }: UsageQuery, now: number): Pick<UsageListing, 'from' | 'to' | 'bucketLength'> {
  const bucketLength = LENGTHS[bucket];
  const end = to ?? now + 1;
  const begin = from ?? Math.max(0, end - DEFAULT_SPAN[bucket]);
  if (begin >= end) throw invalidRequest('"from" must be before "to".', 'from');
  if ((end - begin) / bucketLength > MOST_BUCKETS) {
    throw invalidRequest(`"from" must be at most ${MOST_BUCKETS} ${bucket}s before "to".`, 'from');
  }
  // Whole buckets: sums cannot be cut.
  return {
    from: Math.floor(begin / bucketLength) * bucketLength,
    to: Math.ceil(end / bucketLength) * bucketLength,
    bucketLength,
  };
}

function readUsageCursor(cursor: string | undefined): UsageListing['after'] {
  const text = readCursor(cursor);
  if (text === undefined) return undefined;
  const match = /^(\d{1,12}) (.*)$/.exec(text);
  if (match === null) throw invalidRequest('"cursor" must be the next_cursor of the page before.', 'cursor');
  return { bucket: Number(match[1]), key: match[2] ?? '' };
}

function writeRow(row: UsageSums, by: UsageQuery['by']): UsageRow {
  return {
    bucket: row.bucket,
    ...(by !== undefined && { [by]: row.key }),
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
