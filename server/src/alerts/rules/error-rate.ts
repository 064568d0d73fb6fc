// The share of requests for a model that end with a server error.
import { modelErrors } from '../../store/queries/alert-facts.ts';
import { type Finding, type Rule, threshold } from '../finding.ts';

export const errorRate: Rule = {
  everySeconds: 15,
  calmSeconds: 60,
  async find(context) {
    const minutes = threshold(context, 'minutes');
    const models = await modelErrors(context.reads, context.now - minutes * 60);
    return models.flatMap(({ model, requests, errors }): Finding[] => {
      const percent = (100 * errors) / requests;
      if (requests < threshold(context, 'requests') || percent < threshold(context, 'percent')) return [];
      const title = `${Math.round(percent)} % of the requests for ${model} fail`;
      const detail = `${errors} of ${requests} requests of the last ${minutes} min ended with a server error.`;
      return [{ kind: 'model', subject: model, title, detail }];
    });
  },
};
