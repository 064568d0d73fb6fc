// How channels fare right now, as the process that answers sees it.
import { z } from 'zod';
import { id } from './values/text.ts';

const breaker = z.enum(['closed', 'open', 'half-open']);

export const channelHealth = z
  .object({
    channel_id: id,
    breaker: breaker.meta({ description: 'open: no calls; half-open: one call tries whether it works again' }),
    retry_ms: z.number().meta({ description: 'Until it is tried again, when open' }),
    running: z.int().meta({ description: 'Calls under way' }),
    keys: z.array(
      z.object({
        id,
        state: z.enum(['ready', 'cooling', 'rejected']).meta({
          description:
            'cooling: the upstream asked to slow down; rejected: it refused the key, which is tried again later',
        }),
      }),
    ),
  })
  .meta({ id: 'ChannelHealth' });

export const channelHealthList = z.object({ data: z.array(channelHealth), next_cursor: z.null() });

export type ChannelHealth = z.infer<typeof channelHealth>;
