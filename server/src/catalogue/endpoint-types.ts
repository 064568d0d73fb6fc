// The values of `supported_endpoint_types` in model lists (spec 2.7): what the operator says of the model, as far as its
// channels can do it. They describe a model and do not by themselves forbid a route.
import type { Catalogue, Model } from './catalogue.ts';
import { channelsCarrying, type ModelScope, reachesChannel } from './visible-models.ts';

/** What the upstreams of a provider can be asked for. */
export type EndpointTypesOf = (provider: string) => readonly string[];

/** The kind of call that a price is for, where the operator did not say. */
const TYPES_OF_UNIT: Record<string, readonly string[]> = {
  tokens: ['compat', 'compat-response'],
  request: ['compat', 'compat-response'],
  image: ['image-generation'],
  characters: ['compat'],
  audio_second: ['compat'],
  search: ['rerank'],
  second: ['compat-video'],
  video_tokens: ['compat-video'],
  reported: ['compat-video'],
};

/** Models of sound have the type of text (contract 3), and are known by their price unit. */
export function isOfSound({ price }: Model): boolean {
  return price?.unit === 'characters' || price?.unit === 'audio_second';
}

export function supportedTypes(
  catalogue: Catalogue,
  { scope, model, typesOf }: { scope: ModelScope; model: Model; typesOf: EndpointTypesOf },
): string[] {
  const channels = channelsCarrying(catalogue, model.id).filter((channel) => reachesChannel(scope, channel));
  const possible = new Set(channels.flatMap(({ provider }) => typesOf(provider)));
  const named = model.endpointTypes.length > 0 ? model.endpointTypes : (TYPES_OF_UNIT[model.price?.unit ?? ''] ?? []);
  return named.filter((type) => possible.has(type));
}
