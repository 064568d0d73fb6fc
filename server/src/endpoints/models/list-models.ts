// GET /v1/models: exactly the models the token may use (spec 2.7, 4.2; contract 2).
import { supportedTypes } from '../../catalogue/endpoint-types.ts';
import { visibleModels } from '../../catalogue/visible-models.ts';
import type { Endpoint } from '../endpoint.ts';
import { modelEntry } from './model-entry.ts';

export const listModels: Endpoint = ({ catalogue: { current }, endpointTypesOf: typesOf }, exchange) => {
  const scope = exchange.principal;
  exchange.sendJson({
    success: true,
    object: 'list',
    data: visibleModels(current, scope).map((model) => ({
      ...modelEntry(model),
      supported_endpoint_types: supportedTypes(current, { scope, model, typesOf }),
    })),
  });
};
