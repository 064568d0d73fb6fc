// How channels fare: right now, as the process that answers sees it, and by what is remembered of the last day.
import { z } from 'zod';
import { id } from './values/text.ts';
import { unixTime } from './values/times.ts';

const keyState = z.enum(['ready', 'cooling', 'suspected', 'rejected']).meta({
  description:
    'cooling: the upstream asked to slow down; suspected: it refused the key in calls of one account, which do without it; rejected: the key is out for everybody, and is tried again later',
});
const breaker = z.enum(['closed', 'open', 'half-open']);

export const channelHealth = z
  .object({
    channel_id: id,
    breaker: breaker.meta({ description: 'open: no calls; half-open: one call tries whether it works again' }),
    retry_ms: z.number().meta({ description: 'Until it is tried again, when open' }),
    running: z.int().meta({ description: 'Calls under way' }),
    accounts_out: z.int().meta({ description: 'Accounts that are kept out because their own calls fail' }),
    keys: z.array(z.object({ id, state: keyState, reason: z.string().nullable() })),
  })
  .meta({ id: 'ChannelHealth' });

export const channelFitness = z
  .object({
    state: z.enum(['healthy', 'failing', 'down', 'unknown', 'off']).meta({
      description:
        'down: it is kept out, or no key is left; failing: the last thing known of it is a failure; unknown: it was neither called nor tested',
    }),
    success_rate: z.number().nullable().meta({
      description:
        'Share of the calls of the last 24 h that were answered, 0 to 1; requests that it refused are not counted',
    }),
    calls: z.int().meta({ description: 'Calls of the last 24 h' }),
    p95_ms: z.number().nullable().meta({
      description:
        'Within this time 95 of 100 calls of the last 24 h were answered, or had begun to be where they stream',
    }),
    last_success_at: unixTime.nullable(),
    last_error: z
      .object({ class: z.string(), status: z.int().nullable(), message: z.string(), at: unixTime })
      .nullable(),
    last_test: z
      .object({
        ok: z.boolean(),
        status: z.int().nullable(),
        latency_ms: z.number(),
        model: z.string(),
        message: z.string(),
        at: unixTime,
      })
      .nullable(),
    keys: z.array(
      z.object({
        id,
        state: keyState,
        reason: z.string().nullable(),
        since: unixTime.nullable().meta({ description: 'Out for everybody since then' }),
        until: unixTime.nullable().meta({ description: 'Tried again then' }),
        last_probe: z
          .object({
            ok: z.boolean().nullable().meta({ description: 'null: the answer did not tell' }),
            message: z.string(),
            at: unixTime,
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ChannelFitness' });

export const channelHealthList = z.object({ data: z.array(channelHealth), next_cursor: z.null() });

export type ChannelFitness = z.infer<typeof channelFitness>;
export type ChannelHealth = z.infer<typeof channelHealth>;
