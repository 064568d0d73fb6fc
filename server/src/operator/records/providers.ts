// Kinds of upstreams as the operator API shows them, and the check of a channel's.
import { defaultChannelOptions, kindOptions } from '#contract/channel-options.ts';
import type { Provider as Shown } from '#contract/providers.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Provider } from '../../providers/provider.ts';
import { findProvider, listProviders } from '../../providers/registry.ts';

export function writeProvider({ name, facts, mayLack = [], video }: Provider): Shown {
  return {
    name,
    label: facts.label,
    about: facts.about,
    fields: {
      base_url: { hint: facts.baseUrl.hint, example: facts.baseUrl.example },
      keys: { hint: facts.key.hint },
    },
    makes_videos: video !== undefined,
    archives: video?.linksDieSoon === true,
    units: unitsOf({ facts, video }),
    options: optionsOf(facts.options ?? [], { speaks: mayLack.length > 0, archive: video !== undefined }),
    speaks: [...mayLack],
    presets: facts.presets.map(({ vendor, baseUrl, speaks, dropFields = [], note }) => ({
      vendor,
      base_url: baseUrl,
      speaks: speaks === undefined ? null : [...speaks],
      drop_fields: [...dropFields],
      note: note ?? null,
    })),
  };
}

/** Units of price that its models can have. */
export function unitsOf({
  facts,
  video,
}: {
  facts: Provider['facts'];
  video?: Provider['video'] | undefined;
}): string[] {
  return [...facts.units, ...(video?.units ?? [])];
}

/** All that every kind has, the two that only some have, and its own. */
function optionsOf(own: readonly string[], some: Readonly<Record<string, boolean>>): string[] {
  const ofKinds: readonly string[] = kindOptions;
  return Object.keys(defaultChannelOptions).filter((option) =>
    ofKinds.includes(option) ? own.includes(option) : some[option] !== false,
  );
}

/** A credential that can never be used is refused before it is stored. */
export function checkKeys(name: string, keys: readonly string[] | undefined): void {
  const check = findProvider(name)?.checkCredential;
  if (check === undefined) return;
  for (const [index, key] of (keys ?? []).entries()) {
    const problem = check(key);
    if (problem !== undefined) throw invalidRequest(`"keys[${index}]" cannot be used: ${problem}.`, `keys[${index}]`);
  }
}

export function checkProvider(name: string | undefined): void {
  if (name === undefined || findProvider(name) !== undefined) return;
  const names = listProviders().map((provider) => provider.name);
  throw invalidRequest(`"provider" must be one of ${names.join(', ')}.`, 'provider');
}
