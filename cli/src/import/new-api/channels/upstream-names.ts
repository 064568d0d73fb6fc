// Public names of a channel's models and what the upstream calls them.
import { modelId } from '#contract/values/text.ts';
import { list, object, type Row, text, whole } from '../../sources/source.ts';
import type { ChannelType } from './channel-types.ts';

/** new-api removes dots from names of Azure deployments in channels that were made before 10 May 2025. */
const DOTS_STAY_SINCE = 1_746_835_200n;

export function upstreamNames(
  row: Row,
  { type, say }: { type: ChannelType; say: (reason: string) => void },
): Record<string, string> {
  const mapping = object(row['model_mapping']) ?? {};
  const names: Record<string, string> = {};
  for (const model of list(row['models'])) {
    if (!modelId.safeParse(model).success) say(`model "${model}" is no name that can be written here`);
    else names[model] = deployment(mapped(model, mapping), row, type);
  }
  return names;
}

/** A name may be mapped to one that is mapped again. */
function mapped(model: string, mapping: Row): string {
  const seen = new Set<string>();
  let name = model;
  while (!seen.has(name) && typeof mapping[name] === 'string' && mapping[name] !== '') {
    seen.add(name);
    name = text(mapping[name]);
  }
  return name;
}

function deployment(name: string, row: Row, { provider }: ChannelType): string {
  return provider === 'azure' && whole(row['created_time']) < DOTS_STAY_SINCE ? name.replaceAll('.', '') : name;
}
