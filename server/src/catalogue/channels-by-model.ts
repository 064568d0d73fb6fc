// Which channels carry a model, without looking through all of them for each request. The index lives as long as its
// catalogue.
import type { Catalogue, ChannelFacts } from './catalogue.ts';

const indexes = new WeakMap<Catalogue, Map<string, ChannelFacts[]>>();

/** Enabled or not, of any group. */
export function channelsCarrying(catalogue: Catalogue, modelId: string): readonly ChannelFacts[] {
  let index = indexes.get(catalogue);
  if (index === undefined) {
    index = indexByModel(catalogue);
    indexes.set(catalogue, index);
  }
  return index.get(modelId) ?? [];
}

function indexByModel(catalogue: Catalogue): Map<string, ChannelFacts[]> {
  const index = new Map<string, ChannelFacts[]>();
  for (const channel of catalogue.channels) {
    for (const model of channel.models.keys()) {
      const carriers = index.get(model);
      if (carriers === undefined) index.set(model, [channel]);
      else carriers.push(channel);
    }
  }
  return index;
}
