// GET /v1/models/{model}: one entry, without supported_endpoint_types (spec 2.7: those stand in list entries only).
import { visibleModels } from '../../catalogue/visible-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Endpoint } from '../endpoint.ts';
import { modelEntry } from './model-entry.ts';

export const getModel: Endpoint = ({ catalogue }, exchange) => {
  const id = exchange.wildcard;
  const model = visibleModels(catalogue.current, exchange.principal).find((visible) => visible.id === id);
  if (model === undefined) {
    const message = `The model "${id.slice(0, 200)}" does not exist or is not available to this API key.`;
    throw new GatewayError('model_not_found', { message, param: 'model' });
  }
  exchange.sendJson(modelEntry(model));
};
