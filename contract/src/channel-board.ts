// The board of channels: how each fared in the last day, hour by hour, and each of its keys.
import { z } from 'zod';
import { channel } from './channels.ts';
import { providerName } from './providers.ts';
import { amountAnswer } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { search } from './values/search.ts';
import { id } from './values/text.ts';
import { unixTime } from './values/times.ts';

const hour = z.object({
  hour: unixTime.meta({ description: 'Its beginning' }),
  answered: z.int(),
  failed: z.int(),
  charged: amountAnswer,
});

const charged = amountAnswer.meta({ description: 'What callers were charged in the last 24 h' });
const hours = z.array(hour).meta({ description: 'Of the last 24 h, oldest first; hours without calls are left out' });

export const boardChannel = channel
  .extend({
    charged,
    hours,
    key_calls: z
      .array(
        z.object({
          id,
          calls: z.int(),
          success_rate: z.number().nullable(),
          p95_ms: z.number().nullable(),
          charged,
          last_error: z
            .object({ class: z.string(), status: z.int().nullable(), message: z.string(), at: unixTime })
            .nullable(),
          hours,
        }),
      )
      .meta({ description: 'By key, as in `keys`' }),
  })
  .meta({ id: 'BoardChannel' });

export const channelBoard = listOf(boardChannel);

export const channelBoardQuery = z.strictObject({
  ...listQuery,
  q: search,
  provider: providerName.optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
  health: z
    .enum(['failing', 'healthy', 'unknown', 'off'])
    .optional()
    .meta({ description: 'failing: also those that are down, or have a key that is rejected' }),
});

export type BoardChannel = z.infer<typeof boardChannel>;
export type BoardHour = z.infer<typeof hour>;
