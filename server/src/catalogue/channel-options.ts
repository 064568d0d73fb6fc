// A channel's settings as the store keeps them, read with the defaults of contract section 2.
import type { SecretBox } from '../shared/secret-box.ts';
import { openProxy, type SealedProxy } from '../shared/sealed-proxy.ts';
import type { ChannelOptions } from './catalogue.ts';

type Stored = Partial<{
  connect_ms: number;
  first_byte_ms: number;
  idle_ms: number;
  total_ms: number;
  concurrency: number | null;
  rpm: number | null;
  drop_fields: string[];
  speaks: string[] | null;
  archive: boolean | null;
  account_id: string | null;
  shared_objects: boolean | null;
  proxy: SealedProxy | null;
  api_version: string | null;
  region: string | null;
  project: string | null;
  location: string | null;
  token_url: string | null;
}>;

export function readChannelOptions(text: string, box?: Pick<SecretBox, 'open'>): ChannelOptions {
  const stored = JSON.parse(text) as Stored;
  return {
    connectMs: stored.connect_ms ?? 5_000,
    firstByteMs: stored.first_byte_ms ?? 120_000,
    idleMs: stored.idle_ms ?? 120_000,
    totalMs: stored.total_ms ?? 600_000,
    concurrency: stored.concurrency ?? undefined,
    rpm: stored.rpm ?? undefined,
    dropFields: stored.drop_fields ?? [],
    speaks: stored.speaks ?? undefined,
    archive: stored.archive ?? undefined,
    accountId: stored.account_id ?? undefined,
    sharedObjects: stored.shared_objects ?? false,
    proxy: box === undefined || !stored.proxy ? undefined : openProxy(stored.proxy, box),
    apiVersion: stored.api_version ?? undefined,
    region: stored.region ?? undefined,
    project: stored.project ?? undefined,
    location: stored.location ?? undefined,
    tokenUrl: stored.token_url ?? undefined,
  };
}
