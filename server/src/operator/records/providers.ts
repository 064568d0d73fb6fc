// Kinds of upstreams as the operator API shows them, and the check of a channel's.
import { defaultChannelOptions } from '#contract/channel-options.ts';
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
    units: [...facts.units, ...(video?.units ?? [])],
    options: [...optionsOf({ speaks: mayLack.length > 0, archive: video !== undefined }), ...(facts.options ?? [])],
    speaks: [...mayLack],
    presets: facts.presets.map(({ vendor, baseUrl, speaks, note }) => ({
      vendor,
      base_url: baseUrl,
      speaks: speaks === undefined ? null : [...speaks],
      note: note ?? null,
    })),
  };
}

/** All that every kind has, and the two that only some have. */
function optionsOf(some: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(defaultChannelOptions).filter((option) => some[option] !== false);
}

export function checkProvider(name: string | undefined): void {
  if (name === undefined || findProvider(name) !== undefined) return;
  const names = listProviders().map((provider) => provider.name);
  throw invalidRequest(`"provider" must be one of ${names.join(', ')}.`, 'provider');
}
