// Kinds of upstreams: what a channel of each needs, how its models can be priced, and well-known vendors (contract-2 9).
import { z } from 'zod';

const preset = z.object({
  vendor: z.string(),
  base_url: z.string(),
  speaks: z.array(z.string()).nullable().meta({ description: 'For `options.speaks`; null = all' }),
  drop_fields: z.array(z.string()).meta({ description: 'For `options.drop_fields`: request fields that it refuses' }),
  note: z.string().nullable(),
});

export const provider = z
  .object({
    name: z.string().meta({ description: 'For `provider` of a channel' }),
    label: z.string(),
    about: z.string(),
    fields: z.object({
      base_url: z.object({ hint: z.string(), example: z.string() }),
      keys: z.object({ hint: z.string() }),
    }),
    makes_videos: z.boolean(),
    archives: z
      .boolean()
      .meta({ description: 'Copies of videos are kept where `options.archive` is null, since its links die soon' }),
    units: z.array(z.string()).meta({ description: 'Units of price that its models can have' }),
    options: z.array(z.string()).meta({ description: 'Channel options that count for it' }),
    speaks: z.array(z.string()).meta({ description: 'What `options.speaks` can name; empty = it has no choice' }),
    presets: z.array(preset),
  })
  .meta({ id: 'Provider' });

export const providerList = z.object({ data: z.array(provider), next_cursor: z.null() });

/** A name that the list has; the server knows which. */
export const providerName = z
  .string()
  .min(1)
  .max(50)
  .meta({ description: 'A name of GET /operator/v1/providers', examples: ['openai'] });

export type Provider = z.infer<typeof provider>;
