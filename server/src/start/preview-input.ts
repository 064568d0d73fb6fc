// A channel as an operator writes it, as the relay sees one: for a preview, so nothing of it is stored.
import type { ChannelPreview } from '#contract/channels.ts';
import type { Price } from '#contract/prices.ts';
import { readChannelOptions } from '../catalogue/channel-options.ts';
import type { PreviewInput } from '../relay/preview-channel.ts';

export function previewInput(channel: ChannelPreview): PreviewInput {
  const { model, prices, keys, models, options, base_url, headers, name, provider } = channel;
  const { proxy, ...rest } = options;
  // A model that is not among those of the channel is meant by its upstream name.
  const carried = new Map(Object.entries(models));
  if (model !== undefined && !carried.has(model)) carried.set(model, model);
  const facts = {
    id: 'preview',
    name,
    provider,
    baseUrl: base_url,
    models: carried,
    groups: [],
    priority: 0,
    weight: 1,
    enabled: true,
    sandbox: false,
    headers,
    options: { ...readChannelOptions(JSON.stringify(rest)), proxy: proxy ?? undefined },
  };
  return { facts, keys, model, priced: model === undefined ? undefined : testedAs(prices[model]) };
}

/** A model whose output is free makes vectors. */
function testedAs(price: Price | undefined): PreviewInput['priced'] {
  if (price === undefined) return undefined;
  const isVectors = price.unit === 'tokens' && Number(price.output) === 0;
  return { endpointTypes: isVectors ? ['embeddings'] : [], price };
}
