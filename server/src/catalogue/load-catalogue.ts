// Builds the catalogue from the store's rows. With the sandbox off its channels and models are left out, as if they had
// never been made.
import { NANO, parseDecimal } from '../shared/decimal.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { openHeaders } from '../shared/sealed-headers.ts';
import { type CatalogueRows, readCatalogueRows } from '../store/queries/catalogue.ts';
import type { Reads } from '../store/store.ts';
import type { Catalogue, ChannelFacts, Flag, Group, Model } from './catalogue.ts';
import { readChannelOptions } from './channel-options.ts';
import { readPatterns } from './visible-models.ts';
import { readPrice } from './prices.ts';

export interface CatalogueOptions {
  /** False = TOLLGATE_SANDBOX is off. */
  sandbox: boolean;
  /** Where this process's sandbox listens for a provider's protocol: its ports are new at each start. */
  sandboxBaseUrl(provider: string): string | undefined;
  /** Opens the sealed headers of channels. */
  secretBox: Pick<SecretBox, 'open'>;
}

const DEFAULT_GROUP: Group = { name: 'default', multiplier: '1', multiplierNano: NANO, models: undefined };

export async function loadCatalogue(reads: Reads, options: CatalogueOptions): Promise<Catalogue> {
  const rows = await readCatalogueRows(reads);
  const offered = (row: { sandbox: number }) => options.sandbox || row.sandbox === 0;
  const groups = new Map([[DEFAULT_GROUP.name, DEFAULT_GROUP]]);
  for (const row of rows.groups) groups.set(row.name, readGroup(row));
  return {
    models: new Map(rows.models.filter(offered).map((row) => [row.id, readModel(row)])),
    groups,
    flags: new Map(rows.flags.map((row) => [row.name, readFlag(row)])),
    channels: readChannels({ ...rows, channels: rows.channels.filter(offered) }, options),
    sandbox: options.sandbox,
  };
}

function readModel(row: CatalogueRows['models'][number]): Model {
  return {
    id: row.id,
    ownedBy: row.owned_by,
    endpointTypes: readList(row.endpoint_types),
    price: readPrice(row.price),
    enabled: row.enabled === 1,
    flag: row.flag ?? undefined,
    maxOutputTokens: row.max_output_tokens ?? undefined,
    passUnpriced: row.pass_unpriced === null ? undefined : row.pass_unpriced === 1,
    created: row.created,
  };
}

function readGroup(row: CatalogueRows['groups'][number]): Group {
  const multiplierNano = parseDecimal(row.multiplier);
  if (multiplierNano === undefined) throw new Error(`the multiplier of group "${row.name}" is not a decimal`);
  return { name: row.name, multiplier: row.multiplier, multiplierNano, models: readPatterns(row.models) };
}

function readFlag(row: CatalogueRows['flags'][number]): Flag {
  return {
    name: row.name,
    enabled: row.enabled === 1,
    accounts: readList(row.accounts),
    groups: readList(row.groups),
  };
}

function readChannels(rows: CatalogueRows, options: CatalogueOptions): ChannelFacts[] {
  const keys = Map.groupBy(rows.channelKeys, (key) => key.channel_id);
  return rows.channels.map((row) => {
    const own = keys.get(row.id) ?? [];
    return {
      id: row.id,
      name: row.name,
      provider: row.provider,
      baseUrl: (row.sandbox === 1 ? options.sandboxBaseUrl(row.provider) : undefined) ?? row.base_url,
      models: new Map(Object.entries(JSON.parse(row.models) as Record<string, string>)),
      groups: readList(row.groups ?? '[]'),
      priority: row.priority,
      weight: row.weight,
      // With every key set aside it must not be called without one.
      enabled: row.status === 'enabled' && (own.length === 0 || own.some(({ status }) => status === 'enabled')),
      sandbox: row.sandbox === 1,
      headers: openHeaders(row.headers, options.secretBox),
      options: readChannelOptions(row.options, options.secretBox),
      keys: own.map(({ id, ciphertext, status }) => ({ id, ciphertext, isDisabled: status === 'disabled' })),
    };
  });
}

function readList(text: string): string[] {
  return JSON.parse(text) as string[];
}
