// Time limits and other settings of a channel, with the defaults of contract section 2.
import { z } from 'zod';
import { baseUrl, proxyUrl } from './values/network-addresses.ts';
import { id, line } from './values/text.ts';

const HOUR = 3_600_000;

const milliseconds = z.int().min(1).max(HOUR);
/** They become parts of addresses. */
const word = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w.:-]*$/, 'must be letters, digits and . : _ - only');
const limit = z.int().min(1).max(1_000_000_000).nullable();

const fields = {
  connect_ms: milliseconds,
  first_byte_ms: milliseconds,
  idle_ms: milliseconds.meta({ description: 'Longest silence inside an answer' }),
  total_ms: milliseconds,
  concurrency: limit,
  rpm: limit,
  drop_fields: z.array(line(200)).max(100).meta({ description: 'Request fields never sent to this upstream' }),
  speaks: z
    .array(z.enum(['chat', 'responses', 'completions']))
    .min(1)
    .max(3)
    .nullable()
    .meta({ description: 'Protocols an `openai` upstream has; null = all' }),
  archive: z.boolean().nullable(),
  account_id: id.nullable().meta({ description: 'The only account that it serves; null = all' }),
  shared_objects: z
    .boolean()
    .nullable()
    .meta({ description: 'Ids of files, prompts, stores and the like that it keeps are for everybody who reaches it' }),
  proxy: proxyUrl
    .nullable()
    .meta({ description: 'HTTP proxy of its calls, before HTTPS_PROXY; its password is read back as ...' }),
  api_version: word
    .nullable()
    .meta({ description: '`azure`: a dated version, with deployments in paths; null = /openai/v1' }),
  region: word.nullable().meta({ description: '`bedrock`: where the host does not name it' }),
  project: word.nullable().meta({ description: '`vertex`: null = the one of the service account' }),
  location: word.nullable().meta({ description: '`vertex`: null = the one in the host' }),
  token_url: baseUrl.nullable().meta({ description: 'Where tokens are fetched; for tests only' }),
};

/** Options that only some kinds of upstreams have: each kind lists its own. */
export const kindOptions: readonly (keyof ChannelOptions)[] = [
  'api_version',
  'region',
  'project',
  'location',
  'token_url',
];

export const channelOptions = z.object(fields).meta({ id: 'ChannelOptions' });
export const channelOptionsPatch = z.strictObject(fields).partial();

export type ChannelOptions = z.infer<typeof channelOptions>;
export type ChannelOptionsPatch = z.infer<typeof channelOptionsPatch>;

export const defaultChannelOptions: ChannelOptions = {
  connect_ms: 5_000,
  first_byte_ms: 120_000,
  idle_ms: 120_000,
  total_ms: 600_000,
  concurrency: null,
  rpm: null,
  drop_fields: [],
  speaks: null,
  archive: null,
  account_id: null,
  shared_objects: null,
  proxy: null,
  api_version: null,
  region: null,
  project: null,
  location: null,
  token_url: null,
};
