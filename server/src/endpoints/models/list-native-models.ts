// GET /v1beta/models: the same models in the generate-content style (contract 5).
import { visibleModels } from '../../catalogue/visible-models.ts';
import type { Endpoint } from '../endpoint.ts';

export const listNativeModels: Endpoint = ({ catalogue }, exchange) => {
  const models = visibleModels(catalogue.current, exchange.principal);
  exchange.sendJson({
    models: models.map(({ id, ownedBy }) => ({
      name: `models/${id}`,
      displayName: id,
      description: `${id} by ${ownedBy}`,
      supportedGenerationMethods: [],
    })),
  });
};
