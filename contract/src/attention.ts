// What needs attention, in one answer: open alerts, and what is worth a look in the last day's requests and in the catalogue.
import { z } from 'zod';
import { alert } from './alerts.ts';
import { id, requestId } from './values/text.ts';

export const attention = z
  .object({
    alerts: z.array(alert).meta({ description: 'Open ones, newest first; 200 at most' }),
    bounded: z
      .array(
        z.object({
          channel_id: id.nullable(),
          channel: z.string().nullable().meta({ description: 'Its name; null: the channel is gone' }),
          requests: z.int(),
          request_id: requestId.meta({ description: 'The newest of them' }),
        }),
      )
      .meta({ description: 'Channels whose upstream reported usage that cannot be true in the last 24 hours' }),
    unpriced: z
      .array(
        z.object({
          model: z.string(),
          uses: z.record(z.string(), z.int()).meta({ description: 'How often each thing without a price was used' }),
          request_id: requestId.meta({ description: 'The newest request that did' }),
        }),
      )
      .meta({ description: 'Models that used something without a price in the last 24 hours' }),
    unserved_models: z
      .array(z.string())
      .meta({ description: 'Models for sale that no enabled channel carries: nobody is offered them' }),
  })
  .meta({ id: 'Attention' });

export type Attention = z.infer<typeof attention>;
