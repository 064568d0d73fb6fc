// Channels: configured upstreams. Their keys go in and never come out.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { channelFitness } from './channel-health.ts';
import { channelOptions, channelOptionsPatch } from './channel-options.ts';
import { price } from './prices.ts';
import { providerName } from './providers.ts';
import { headerFields } from './values/header-fields.ts';
import { listOf, listQuery } from './values/lists.ts';
import { baseUrl } from './values/network-addresses.ts';
import { displayName, groupName, id, line, modelId } from './values/text.ts';
import { unixTime } from './values/times.ts';

const status = z.enum(['enabled', 'disabled']);
const keys = z
  .array(
    z
      .string()
      .min(1)
      .max(16_000)
      .regex(
        /^(?:[\x21-\x7e]+|\{[\x20-\x7e]+\})$/,
        'must be visible ASCII characters without spaces, or a JSON object in one line',
      ),
  )
  .max(100);
const models = z.record(modelId, line(200)).meta({ description: '{"public name": "upstream name"}' });
const groups = z.array(groupName).max(1000).nullable().meta({ description: 'null or [] = every group' });
const priority = z.int().min(-1_000_000).max(1_000_000).meta({ description: 'Higher first' });
const weight = z.int().min(0).max(1_000_000);

export const channel = z
  .object({
    id,
    name: z.string(),
    provider: providerName,
    base_url: z.string(),
    keys: z.array(
      z.object({
        id,
        hint: z.string(),
        status: status.meta({ description: 'disabled: no new request is sent with it' }),
      }),
    ),
    models: z.record(z.string(), z.string()),
    groups: z.array(z.string()).nullable(),
    priority: z.int(),
    weight: z.int(),
    status,
    headers: z.record(z.string(), z.string()),
    options: channelOptions,
    sandbox: z.boolean(),
    health: channelFitness,
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'Channel' });

export const channelCreate = z
  .strictObject({
    name: displayName,
    provider: providerName,
    base_url: baseUrl,
    keys: keys.default([]),
    models: models.default({}),
    groups: groups.default(null),
    priority: priority.default(0),
    weight: weight.default(1),
    status: status.default('enabled'),
    headers: headerFields.default({}),
    options: channelOptionsPatch.default({}),
  })
  .meta({ id: 'ChannelCreate' });

export const channelPatch = z
  .strictObject({
    name: displayName,
    provider: providerName,
    base_url: baseUrl,
    keys: keys.meta({ description: 'Replaces all keys' }),
    models,
    groups,
    priority,
    weight,
    status,
    headers: headerFields,
    options: channelOptionsPatch.meta({ description: 'Only the given options change' }),
  })
  .partial()
  .meta({ id: 'ChannelPatch' });

/** A new channel and the prices of its models, in one step. */
export const channelConnect = channelCreate
  .extend({
    prices: z.record(modelId, price).default({}).meta({
      description:
        'Prices of models that the channel carries, by public name: a model that does not exist is created, one that does gets this price',
    }),
  })
  .meta({ id: 'ChannelConnect' });

export const channelClone = z.strictObject({ name: displayName }).meta({ id: 'ChannelClone' });

export const channelKeysAdd = z.strictObject({ keys: keys.min(1) }).meta({ id: 'ChannelKeysAdd' });
export const channelKeyPatch = z.strictObject({ status }).meta({ id: 'ChannelKeyPatch' });
export const channelKeyParams = z.strictObject({ id, key_id: id });

/** A model that an upstream says it has. */
const upstreamModel = z.object({
  id: z.string().meta({ description: 'For `models` of a channel' }),
  carried_as: z.string().nullable().meta({ description: 'Its public name in this channel; null = not carried' }),
  list_price: price.nullable().meta({ description: 'The price that the list of prices has for it' }),
  price: price.nullable().meta({ description: 'What its model costs here now; null = it is not for sale' }),
  retires_at: unixTime
    .nullable()
    .meta({ description: 'When its vendor retires it, as far as the list of prices knows' }),
});

export const upstreamModelList = z
  .object({ data: z.array(upstreamModel), next_cursor: z.null() })
  .meta({ id: 'UpstreamModelList' });

export const channelTest = z.strictObject({
  model: modelId.optional().meta({ description: 'Absent: the one that was tested last, else the first' }),
  key_id: id.optional().meta({ description: 'The key to test with, also a disabled one; absent: the first in use' }),
});

export const channelTestResult = z
  .object({ ok: z.boolean(), status: z.int().nullable(), latency_ms: z.number(), message: z.string() })
  .meta({ id: 'ChannelTestResult' });

export const channelPreview = channelConnect
  .extend({ model: modelId.optional().meta({ description: 'To be tested; absent = only the list is asked for' }) })
  .meta({ id: 'ChannelPreview' });

export const channelPreviewResult = z
  .object({
    data: z.array(upstreamModel),
    list_error: z.string().nullable().meta({ description: 'Why there is no list' }),
    test: channelTestResult.nullable(),
  })
  .meta({ id: 'ChannelPreviewResult' });

export const channelList = listOf(channel);
export const channelQuery = z.strictObject({
  ...listQuery,
  provider: providerName.optional(),
  status: status.optional(),
});

export type Channel = z.infer<typeof channel>;
/** As it is configured, without how it fares. */
export type ChannelSettings = Omit<Channel, 'health'>;
export type ChannelCreate = z.infer<typeof channelCreate>;
export type ChannelConnect = z.infer<typeof channelConnect>;
export type ChannelTest = z.infer<typeof channelTest>;
export type ChannelPreview = z.infer<typeof channelPreview>;
export type UpstreamModel = z.infer<typeof upstreamModel>;
export type ChannelPatch = z.infer<typeof channelPatch>;
