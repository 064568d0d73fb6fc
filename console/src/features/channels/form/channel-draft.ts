// The form of a channel as people fill it in, and what of it goes to the API.
import { type ChannelOptions, defaultChannelOptions, kindOptions } from '#contract/channel-options.ts';
import type { Channel } from '#contract/channels.ts';
import type { Provider } from '#contract/providers.ts';
import { type NamePair, pairsOf, recordOf } from '../../../lib/name-pairs.ts';

export interface ChannelDraft {
  name: string;
  provider: string;
  baseUrl: string;
  /** One per line; empty = leave them as they are. */
  keys: string;
  models: NamePair[];
  groups: string[];
  priority: number | string;
  weight: number | string;
  headers: NamePair[];
  speaks: string[];
  dropFields: string[];
  /** null = as the provider declares. */
  archive: boolean | null;
  /** Empty = every account. */
  accountId: string;
  sharedObjects: boolean;
  /** Empty = as the environment of the gateway says. */
  proxy: string;
  /** Options of the kind alone, by their names in the API; empty = not set. */
  own: Record<string, string>;
  connectMs: number | string;
  firstByteMs: number | string;
  idleMs: number | string;
  totalMs: number | string;
  concurrency: number | string;
  rpm: number | string;
}

export function draftOf(channel: Channel | undefined): ChannelDraft {
  const options = channel?.options ?? defaultChannelOptions;
  return {
    name: channel?.name ?? '',
    provider: channel?.provider ?? 'openai',
    baseUrl: channel?.base_url ?? '',
    keys: '',
    models: channel === undefined ? [{ key: '', value: '' }] : pairsOf(channel.models),
    groups: channel?.groups ?? [],
    priority: channel?.priority ?? 0,
    weight: channel?.weight ?? 1,
    headers: pairsOf(channel?.headers ?? {}),
    speaks: options.speaks ?? [],
    dropFields: options.drop_fields,
    archive: options.archive,
    accountId: options.account_id ?? '',
    sharedObjects: options.shared_objects ?? false,
    proxy: options.proxy ?? '',
    own: Object.fromEntries(kindOptions.map((name) => [name, textOf(options, name)])),
    connectMs: options.connect_ms,
    firstByteMs: options.first_byte_ms,
    idleMs: options.idle_ms,
    totalMs: options.total_ms,
    concurrency: options.concurrency ?? '',
    rpm: options.rpm ?? '',
  };
}

function textOf(options: ChannelOptions, name: keyof ChannelOptions): string {
  const value = options[name];
  return typeof value === 'string' ? value : '';
}

/** Those of the kind that an operator may set. */
export function ownOptions(provider: Provider | undefined): string[] {
  const ofKinds: readonly string[] = kindOptions;
  return (provider?.options ?? []).filter((name) => ofKinds.includes(name));
}

/** What choosing a vendor fills in. */
export function filledBy({ base_url, speaks, drop_fields }: Provider['presets'][number]): Partial<ChannelDraft> {
  return { baseUrl: base_url, speaks: speaks ?? [], dropFields: drop_fields };
}

/** One per line or word. A credential that is a JSON object may go over several lines when it stands alone. */
export function keysIn(text: string): string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed.split(/\s+/).filter((key) => key !== '');
  try {
    return [JSON.stringify(JSON.parse(trimmed))];
  } catch {
    return trimmed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
}

/** Not yet checked: the contract's schema does that. */
export function bodyOf(draft: ChannelDraft, provider: Provider | undefined) {
  const keys = keysIn(draft.keys);
  return {
    name: draft.name.trim(),
    provider: draft.provider,
    base_url: draft.baseUrl.trim(),
    ...(keys.length > 0 && { keys }),
    // Most upstreams know a model by its public name.
    models: recordOf(draft.models, (key) => key),
    groups: draft.groups.length === 0 ? null : draft.groups,
    priority: Number(draft.priority),
    weight: Number(draft.weight),
    headers: recordOf(draft.headers, () => ''),
    options: {
      connect_ms: Number(draft.connectMs),
      first_byte_ms: Number(draft.firstByteMs),
      idle_ms: Number(draft.idleMs),
      total_ms: Number(draft.totalMs),
      concurrency: draft.concurrency === '' ? null : Number(draft.concurrency),
      rpm: draft.rpm === '' ? null : Number(draft.rpm),
      drop_fields: draft.dropFields,
      account_id: draft.accountId === '' ? null : draft.accountId,
      shared_objects: draft.sharedObjects ? true : null,
      proxy: draft.proxy.trim() === '' ? null : draft.proxy.trim(),
      ...Object.fromEntries(ownOptions(provider).map((name) => [name, draft.own[name]?.trim() || null])),
      ...(provider?.makes_videos === true && { archive: draft.archive }),
      ...((provider?.speaks ?? []).length > 0 && { speaks: draft.speaks.length === 0 ? null : draft.speaks }),
    },
  };
}
