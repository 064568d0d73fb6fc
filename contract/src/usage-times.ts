// How long requests took: percentiles, which sums cannot tell.
import { z } from 'zod';
import { id, line } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

const time = z.number().nullable().meta({ description: 'Milliseconds, to three digits; null without requests' });

const percentiles = z.object({ p50: time, p95: time, p99: time }).meta({ id: 'Percentiles' });

export const usageTimes = z
  .object({
    from: unixTime,
    to: unixTime,
    first_byte_ms: percentiles,
    total_ms: percentiles,
  })
  .meta({ id: 'UsageTimes' });

export const usageTimesQuery = z.strictObject({
  from: timeFilter.optional().meta({ description: 'Default: a day before `to`, which is also the most' }),
  to: timeFilter.optional().meta({ description: 'Default: now' }),
  account_id: id.optional(),
  token_id: id.optional(),
  channel_id: id.optional(),
  model: line(200).optional(),
  mode: z.enum(['live', 'test']).optional(),
});

export type Percentiles = z.infer<typeof percentiles>;
export type UsageTimes = z.infer<typeof usageTimes>;
