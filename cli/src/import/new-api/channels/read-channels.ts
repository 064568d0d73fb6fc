// Channels of new-api and one-api as channels here.
import { channelCreate } from '#contract/channels.ts';
import type { NotTaken, PlannedChannel } from '../../import-plan.ts';
import { list, object, type Row, text, whole } from '../../sources/source.ts';
import { baseUrlOf } from './base-url.ts';
import { amazonKeys, pairKeys, splitKeys, withoutDisabled } from './channel-keys.ts';
import { type ChannelType, channelType, type Program } from './channel-types.ts';
import { readExtras } from './channel-extras.ts';
import { upstreamNames } from './upstream-names.ts';
import { distinctNames, groupOf, nameOf } from '../../names.ts';

const MOST_KEYS = 100;
const ENABLED = 1n;
const SWITCHED_OFF_BY_ERRORS = 3n;
const RERANK = /rerank/i;

export interface ReadChannels {
  channels: PlannedChannel[];
  notTaken: NotTaken[];
}

export function readChannels(rows: readonly Row[], program: Program): ReadChannels {
  const sorted = rows.toSorted((a, b) => Number(whole(a['id']) - whole(b['id'])));
  const names = distinctNames(
    sorted.map((row) => ({ id: text(row['id']), name: nameOf(text(row['name']), `channel ${text(row['id'])}`) })),
  );
  const weights = sharedWeights(sorted);
  const read: ReadChannels = { channels: [], notTaken: [] };
  for (const row of sorted) {
    const name = names.get(text(row['id'])) ?? '';
    const say = (reason: string): void => void read.notTaken.push({ kind: 'channel', name, reason });
    const type = channelType(program, Number(whole(row['type'])));
    if (typeof type === 'string') say(type);
    else
      for (const planned of variants({ row, type, program, name }, weights, say)) {
        const checked = channelCreate.safeParse(planned);
        const [issue] = checked.error?.issues ?? [];
        if (checked.success) read.channels.push(planned);
        else say(`"${issue?.path.join('.') ?? ''}" ${issue?.message ?? 'is wrong'}; make the channel by hand`);
      }
  }
  return read;
}

interface Found {
  row: Row;
  type: ChannelType;
  program: Program;
  name: string;
}

/** One row may need several channels: by region, by protocol, and above 100 keys. */
function variants(found: Found, weights: ReadonlyMap<Row, number>, say: (reason: string) => void): PlannedChannel[] {
  const { row, type, name } = found;
  const config = object(row['config']) ?? {};
  const all = splitKeys(text(row['key']));
  const live = withoutDisabled(all, row['channel_info']);
  if (live.length < all.length) say(`${all.length - live.length} of its keys are switched off there and are left out`);
  const { headers, options } = readExtras(row, say);
  const common = {
    provider: type.provider,
    groups: [...new Set(list(row['group']).map(groupOf))],
    priority: Math.max(-1_000_000, Math.min(1_000_000, Number(whole(row['priority'])))),
    weight: weights.get(row) ?? 1,
    status: whole(row['status']) === ENABLED ? ('enabled' as const) : ('disabled' as const),
    headers,
  };
  if (whole(row['status']) === SWITCHED_OFF_BY_ERRORS)
    say('was switched off there because of errors; it is disabled here');
  const models = upstreamNames(row, { type, say });
  const made = endpoints(found, live, config).flatMap(({ baseUrl, keys, suffix, more }) =>
    pieces(keys).map((some, at) => ({
      ...common,
      name: `${name}${suffix}${at === 0 ? '' : ` (keys ${at * MOST_KEYS + 1}...)`}`,
      base_url: baseUrl,
      keys: some,
      models,
      options: { ...options, ...more },
    })),
  );
  return made.flatMap((channel) => (type.provider === 'openai' ? withRerank(channel) : [channel]));
}

interface Endpoint {
  baseUrl: string;
  keys: string[];
  suffix: string;
  more: PlannedChannel['options'];
}

function endpoints({ row, type, program }: Found, keys: string[], config: Row): Endpoint[] {
  const own = text(row['base_url']).trim();
  const other = text(row['other']).trim();
  const one = (baseUrl: string, more: PlannedChannel['options'] = {}, list_ = keys): Endpoint[] => [
    { baseUrl, keys: list_, suffix: '', more: { ...more, ...(type.speaks !== undefined && { speaks: type.speaks }) } },
  ];
  switch (type.provider) {
    case 'azure':
      return one(own.replace(/\/+$/, ''), {
        api_version: (other === '' ? text(config['api_version']) : other) || '2025-04-01-preview',
      });
    case 'bedrock':
      return amazonKeys(keys, config).map(({ keys: some, region = '' }, at) => ({
        baseUrl: own === '' ? `https://bedrock-runtime.${region}.amazonaws.com` : own,
        keys: some,
        suffix: at === 0 ? '' : ` (${region})`,
        more: { region: region === '' ? null : region },
      }));
    case 'vertex':
      return vertexEndpoints({ keys, other, config });
    case 'kling':
      return one(baseUrlOf(type, { own, other, isWhole: false }), {}, pairKeys(keys));
    default: {
      const account = other === '' ? text(config['user_id']) : other;
      const isWhole = program === 'new-api' && whole(row['type']) === 8n;
      return one(baseUrlOf(type, { own, other: account, isWhole }));
    }
  }
}

function vertexEndpoints({ keys, other, config }: { keys: string[]; other: string; config: Row }): Endpoint[] {
  const region = text(object(other)?.['default'] ?? (other.startsWith('{') ? '' : other)) || text(config['region']);
  const location = region === '' ? 'global' : region;
  const own = text(config['vertex_ai_adc']) === '' ? keys : splitKeys(text(config['vertex_ai_adc']));
  const project = text(config['vertex_ai_project_id']);
  return [
    {
      baseUrl:
        location === 'global' ? 'https://aiplatform.googleapis.com' : `https://${location}-aiplatform.googleapis.com`,
      keys: own,
      suffix: '',
      more: { location, ...(project !== '' && { project }) },
    },
  ];
}

function pieces(keys: readonly string[]): string[][] {
  const made: string[][] = [];
  for (let at = 0; at === 0 || at < keys.length; at += MOST_KEYS) made.push(keys.slice(at, at + MOST_KEYS));
  return made;
}

/** Rerank is a kind of its own here. */
function withRerank(channel: PlannedChannel): PlannedChannel[] {
  const entries = Object.entries(channel.models ?? {});
  const rerank = entries.filter(([model]) => RERANK.test(model));
  if (rerank.length === 0) return [channel];
  const { speaks: _, ...options } = channel.options ?? {};
  const second = {
    ...channel,
    name: `${channel.name} (rerank)`,
    provider: 'rerank',
    base_url: channel.base_url.replace('/compatibility/v1', '/v1'),
    models: Object.fromEntries(rerank),
    options,
  };
  const rest = entries.filter(([model]) => !RERANK.test(model));
  return rest.length === 0 ? [second] : [{ ...channel, models: Object.fromEntries(rest) }, second];
}

/**
 * Here a weight of 0 means: only when nobody else is left. The programs mean that too where another channel of the same model
 * has a weight; where none has, they share evenly.
 */
function sharedWeights(rows: readonly Row[]): Map<Row, number> {
  const weighted = new Set(
    rows
      .filter((row) => whole(row['weight']) > 0n)
      .flatMap((row) => list(row['models']).map((model) => `${whole(row['priority'])} ${model}`)),
  );
  const isBehind = (row: Row): boolean =>
    list(row['models']).some((model) => weighted.has(`${whole(row['priority'])} ${model}`));
  return new Map(
    rows.map((row) => {
      const weight = Math.min(1_000_000, Number(whole(row['weight'])));
      return [row, weight > 0 || isBehind(row) ? weight : 1];
    }),
  );
}
