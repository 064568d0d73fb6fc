// GET /v1beta/models and /v1beta/models/{model}: the same models in the generate-content style (contract 5).
import type { Model } from '../../catalogue/catalogue.ts';
import { isOfSound, supportedTypes } from '../../catalogue/endpoint-types.ts';
import { modelAccess, visibleModels } from '../../catalogue/visible-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';

/** What clients of this style can do with a model, by what its channels can do. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  compat: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
};

export const listNativeModels: Endpoint = (dependencies, exchange) => {
  const models = visibleModels(dependencies.catalogue.current, exchange.principal);
  exchange.sendJson({ models: models.map((model) => nativeEntry(dependencies, exchange, model)) });
};

export const getNativeModel: Endpoint = (dependencies, exchange) => {
  const [, method = ''] = /:([^:/]*)$/.exec(exchange.wildcard) ?? [];
  if (Object.values(METHODS).some((names) => names.includes(method)))
    throw new GatewayError('method_not_allowed', { message: 'Use POST here.', headers: { allow: 'POST' } });
  const { model } = modelAccess(dependencies.catalogue.current, exchange.principal, exchange.wildcard);
  exchange.sendJson(nativeEntry(dependencies, exchange, model));
};

function nativeEntry(
  { catalogue, endpointTypesOf }: EndpointDependencies,
  { principal }: Exchange,
  model: Model,
): unknown {
  const types = supportedTypes(catalogue.current, { scope: principal, model, typesOf: endpointTypesOf });
  const methods = isOfSound(model) ? [] : types.flatMap((type) => METHODS[type] ?? []);
  return {
    name: `models/${model.id}`,
    displayName: model.id,
    description: `${model.id} by ${model.ownedBy}`,
    ...(model.maxOutputTokens !== undefined && { outputTokenLimit: model.maxOutputTokens }),
    supportedGenerationMethods: methods,
  };
}
