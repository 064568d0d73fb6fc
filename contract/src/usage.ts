// Usage: sums of the request log by time and by one of its names, kept up to date with every request.
import { z } from 'zod';
import { amountAnswer } from './values/amounts.ts';
import { groupName, id, line } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';
import { timeZone } from './values/time-zones.ts';

export const usageKey = z.enum([
  'model',
  'token',
  'account',
  'channel',
  'group',
  'provider',
  'endpoint',
  'status',
  'mode',
]);
export const usageRank = z.enum(['amount', 'requests', 'errors', 'tokens']);
const bucket = z.enum(['hour', 'day', 'all']);
const sum = z.number().min(0);

/** Of the names, the one asked for by `by` is there; without `by` none is. */
export const usageRow = z
  .object({
    bucket: unixTime.meta({ description: 'Start of the hour or day; with bucket=all, of the range' }),
    model: z.string().optional(),
    token: z.string().optional(),
    account: z.string().optional(),
    channel: z.string().optional(),
    group: z.string().optional(),
    provider: z.string().optional(),
    endpoint: z.string().optional(),
    status: z.string().optional().meta({ description: '0: summed by a version that did not know it' }),
    mode: z.string().optional(),
    name: z.string().nullable().optional().meta({ description: 'Of the account, token or channel' }),
    requests: sum,
    errors: sum,
    input_tokens: sum,
    output_tokens: sum,
    seconds: sum,
    images: sum,
    amount: amountAnswer,
    first_byte_ms: z.number().nullable().meta({ description: 'Mean time to the first byte' }),
    total_ms: z.number().nullable().meta({ description: 'Mean time to the last byte' }),
  })
  .meta({ id: 'UsageRow' });

export const usageList = z.object({
  data: z.array(usageRow),
  next_cursor: z.string().nullable(),
  currency: z.string().meta({ description: 'A word for amounts: TOLLGATE_CURRENCY' }),
});

/** In an address one of them is a text, several are a list. */
const oneOrMore = <T extends z.ZodType<string>>(item: T) =>
  z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(item).max(100))
    .optional()
    .meta({ description: 'Of the names that `by` says, only these. May be repeated' });

export const usageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  cursor: z.string().min(1).max(400).optional().meta({ description: '`next_cursor` of the page before' }),
  from: timeFilter.optional().meta({ description: 'Default: a day, or 30 days by day, before `to`' }),
  to: timeFilter.optional().meta({ description: 'Default: now' }),
  bucket: bucket.default('hour').meta({ description: 'all: one row for the whole range' }),
  zone: timeZone.optional(),
  by: usageKey.optional(),
  rank: usageRank.optional().meta({ description: 'With bucket=all: the largest first, by this' }),
  only: oneOrMore(z.string().max(200)),
  account_id: id.optional(),
  token_id: id.optional(),
  channel_id: id.optional(),
  model: line(200).optional(),
  group: groupName.optional(),
  provider: line(64).optional(),
  endpoint: line(200).optional(),
  status: z.coerce.number().int().min(0).max(599).optional(),
  failed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: a status of 400 or more; false: the others' }),
  mode: z.enum(['live', 'test']).optional(),
});

/** A time in which no process of the gateway ran. */
const outage = z.object({ from: unixTime, to: unixTime }).meta({ id: 'Outage' });
export const outageList = z.object({ data: z.array(outage), next_cursor: z.null() });
export const outageQuery = z.strictObject({
  from: timeFilter.optional().meta({ description: 'Default: 30 days before `to`' }),
  to: timeFilter.optional().meta({ description: 'Default: now' }),
});

export type UsageKey = z.infer<typeof usageKey>;
export type UsageRank = z.infer<typeof usageRank>;
export type UsageRow = z.infer<typeof usageRow>;
export type UsageQuery = z.infer<typeof usageQuery>;
export type Outage = z.infer<typeof outage>;
