// Usage: sums of the request log by time and by one of its names, kept up to date with every request.
import { z } from 'zod';
import { amountAnswer } from './values/amounts.ts';
import { groupName, id, line } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

export const usageKey = z.enum(['model', 'token', 'account', 'channel', 'group']);
const bucket = z.enum(['hour', 'day']);
const sum = z.number().min(0);

/** Of the names, the one asked for by `by` is there; without `by` none is. */
export const usageRow = z
  .object({
    bucket: unixTime.meta({ description: 'Start of the hour or day (UTC)' }),
    model: z.string().optional(),
    token: z.string().optional(),
    account: z.string().optional(),
    channel: z.string().optional(),
    group: z.string().optional(),
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

export const usageList = z.object({ data: z.array(usageRow), next_cursor: z.string().nullable() });

export const usageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  cursor: z.string().min(1).max(400).optional().meta({ description: '`next_cursor` of the page before' }),
  from: timeFilter.optional().meta({ description: 'Default: a day, or 30 days by day, before `to`' }),
  to: timeFilter.optional().meta({ description: 'Default: now' }),
  bucket: bucket.default('hour'),
  by: usageKey.optional(),
  account_id: id.optional(),
  token_id: id.optional(),
  channel_id: id.optional(),
  model: line(200).optional(),
  group: groupName.optional(),
  mode: z.enum(['live', 'test']).optional(),
});

export type UsageKey = z.infer<typeof usageKey>;
export type UsageRow = z.infer<typeof usageRow>;
export type UsageQuery = z.infer<typeof usageQuery>;
