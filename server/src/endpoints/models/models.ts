// GET /v1/models, exactly the models the token may use, and one of them (spec 2.7, 4.2; contract 2).
import type { Model } from '../../catalogue/catalogue.ts';
import { supportedTypes } from '../../catalogue/endpoint-types.ts';
import { modelAccess, visibleModels } from '../../catalogue/visible-models.ts';
import type { Endpoint } from '../endpoint.ts';

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

interface ModelEntry {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

function modelEntry(model: Model): ModelEntry {
  return { id: model.id, object: 'model', created: model.created, owned_by: model.ownedBy };
}

/** Without supported_endpoint_types: those stand in list entries only (spec 2.7). */
export const getModel: Endpoint = ({ catalogue }, exchange) => {
  const { model } = modelAccess(catalogue.current, exchange.principal, exchange.wildcard);
  exchange.sendJson(modelEntry(model));
};
