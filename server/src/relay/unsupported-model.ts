// The error for a model that does not support the operation asked for: names the paths where the model can be used.
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import { supportedTypes } from '../catalogue/endpoint-types.ts';
import { channelsCarrying, type ModelScope, reachesChannel } from '../catalogue/visible-models.ts';
import { type GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { Operation } from '../protocols/protocol.ts';
import { findProvider, serves } from '../providers/registry.ts';

/** By the values of `supported_endpoint_types`. */
const PATHS: Readonly<Record<string, string>> = {
  compat: '/v1/chat/completions',
  'compat-response': '/v1/responses',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
  'image-generation': '/v1/images/generations',
  'compat-video': '/v1/video/generations',
};
/** Models of sound have the type of text, and are known by the unit they are sold by. */
const PATHS_OF_UNIT: Readonly<Record<string, string>> = {
  characters: '/v1/audio/speech',
  audio_second: '/v1/audio/transcriptions',
};

/** `units` are those that the endpoint can be charged by. */
export function unsupportedModel(
  catalogue: Catalogue,
  { scope, model, units }: { scope: ModelScope; model: Model; units: readonly string[] },
): GatewayError {
  const unit = model.price?.unit ?? '';
  const typesOf = (provider: string): readonly string[] => findProvider(provider)?.endpointTypes ?? [];
  const types = supportedTypes(catalogue, { scope, model, typesOf });
  const ofUnit = PATHS_OF_UNIT[unit];
  const paths = ofUnit === undefined ? types.flatMap((type) => PATHS[type] ?? []) : [ofUnit];
  const instead =
    paths.length === 0 ? 'GET /v1/models says what each model is for.' : `It is served at ${paths.join(' and ')}.`;
  const why = units.includes(unit)
    ? 'cannot be used at this endpoint'
    : `is sold per ${unit}, which does not fit this endpoint`;
  return invalidRequest(`The model "${model.id}" ${why}. ${instead}`, 'model');
}

/** Whether any channel of the model that the token reaches can be asked for the operation. */
export function isServedBySome(
  catalogue: Catalogue,
  { scope, model, operation }: { scope: ModelScope; model: string; operation: Operation },
): boolean {
  return channelsCarrying(catalogue, model).some(
    (channel) => reachesChannel(scope, channel) && serves(channel, operation, model),
  );
}
