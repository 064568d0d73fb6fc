// Models: what is offered, at which price, to whom.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { price } from './prices.ts';
import { listOf, listQuery } from './values/lists.ts';
import { line, modelId } from './values/text.ts';
import { unixTime } from './values/times.ts';
import { orDefault } from './values/or-default.ts';

const endpointType = z.enum(['compat', 'compat-response', 'embeddings', 'image-generation', 'compat-video', 'rerank']);

export const model = z
  .object({
    id: z.string(),
    owned_by: z.string(),
    endpoint_types: z.array(endpointType),
    price: price.nullable().meta({ description: 'null = not for sale' }),
    enabled: z.boolean(),
    flag: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    pass_unpriced: z.boolean().nullable(),
    retires_at: unixTime.nullable().meta({ description: 'When its vendor retires it' }),
    sandbox: z.boolean(),
    created: unixTime,
    etag,
  })
  .meta({ id: 'Model' });

export const modelPut = z
  .strictObject({
    owned_by: orDefault(line(100), 'tollgate'),
    endpoint_types: orDefault(z.array(endpointType).max(6), []).meta({
      description: 'Empty = as the price and the channels tell',
    }),
    price: price.nullable().default(null),
    enabled: z.boolean().default(true),
    flag: line(100).nullable().default(null),
    max_output_tokens: z.int().min(1).max(100_000_000).nullable().default(null),
    pass_unpriced: z.boolean().nullable().default(null).meta({
      description:
        'Service tiers and server-side tools without a price: true passes both on, false drops and names both, null drops tiers and passes tools on',
    }),
    retires_at: unixTime.nullable().default(null).meta({
      description: 'When its vendor retires it: the alert rule model_retires warns before. null = not known',
    }),
    created: unixTime.nullish().meta({ description: 'Default: when the model was first put here' }),
  })
  .meta({ id: 'ModelPut' });

export const modelParams = z.strictObject({ id: modelId });
export const modelList = listOf(model);
export const modelQuery = z.strictObject({ ...listQuery, flag: line(100).optional() });

export type Model = z.infer<typeof model>;
export type ModelPut = z.infer<typeof modelPut>;
