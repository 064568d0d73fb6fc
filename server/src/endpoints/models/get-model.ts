// GET /v1/models/{model}: one entry, without supported_endpoint_types (spec 2.7: those stand in list entries only).
import { modelAccess } from '../../catalogue/visible-models.ts';
import type { Endpoint } from '../endpoint.ts';
import { modelEntry } from './model-entry.ts';

export const getModel: Endpoint = ({ catalogue }, exchange) => {
  const { model } = modelAccess(catalogue.current, exchange.principal, exchange.wildcard);
  exchange.sendJson(modelEntry(model));
};
