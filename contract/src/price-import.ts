// Prices brought in from outside, and how prices came about.
import { z } from 'zod';
import { price } from './prices.ts';
import { factor } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { modelId, modelPatterns } from './values/text.ts';
import { unixTime } from './values/times.ts';

export const priceImport = z
  .strictObject({
    source: z
      .union([
        z.literal('list'),
        z
          .array(z.strictObject({ model: modelId, price }))
          .min(1)
          .max(5_000),
      ])
      .meta({ description: '`list`: the public list prices that come with the gateway; else rows of your own' }),
    models: modelPatterns.default(null).meta({ description: 'Only these, exact names or `prefix*`; null = all' }),
    multiplier: factor.default('1').meta({ description: 'Every price is multiplied by this' }),
    create: z.boolean().default(false).meta({ description: 'Also make models that do not exist yet' }),
    dry_run: z.boolean().default(false).meta({ description: 'Say what would change, and change nothing' }),
  })
  .meta({ id: 'PriceImport' });

export const priceImportResult = z
  .object({
    dry_run: z.boolean(),
    source: z.string(),
    counts: z.object({ create: z.int(), change: z.int(), same: z.int(), skip: z.int() }),
    changes: z.array(
      z.object({
        model: z.string(),
        action: z.enum(['create', 'change', 'same', 'skip']).meta({ description: '`skip`: no such model here' }),
        before: price.nullable(),
        after: price,
        listed: z
          .object({
            source: z.string().nullable().meta({ description: 'The page it was read on' }),
            as_of: z.string().nullable().meta({ description: 'The day it was read' }),
            retires_at: unixTime.nullable().meta({ description: 'When its vendor retires the model' }),
          })
          .meta({ description: 'Of a row of the list; all null for rows of your own' }),
        tiered: z.boolean().meta({ description: 'Long prompts have rates of their own (`above`)' }),
      }),
    ),
  })
  .meta({ id: 'PriceImportResult' });

export const priceVersion = z
  .object({
    id: z.string(),
    model: z.string(),
    price: price.nullable().meta({ description: 'null = no longer for sale' }),
    author: z.string(),
    origin: z.string().meta({ description: '`change`, `remove` or where it was imported from' }),
    created_at: unixTime,
  })
  .meta({ id: 'PriceVersion' });

export const priceVersionList = listOf(priceVersion);
export const priceVersionQuery = z.strictObject({ ...listQuery, model: modelId.optional() });

export type PriceImport = z.infer<typeof priceImport>;
export type PriceImportResult = z.infer<typeof priceImportResult>;
export type PriceVersion = z.infer<typeof priceVersion>;
