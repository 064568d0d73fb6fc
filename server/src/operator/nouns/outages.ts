// /usage/outages: when no process of the gateway ran.
import { outageList, outageQuery } from '#contract/usage.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { listOutages } from '../../store/queries/gateway-runs.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, route } from '../operation.ts';

const DEFAULT_SPAN = 30 * 86_400;

export function outageRoutes(app: OperatorApp, { store, clock }: OperatorDependencies): void {
  app.get(
    '/usage/outages',
    route('Usage', 'Times in which the gateway did not run, oldest first', {
      querystring: outageQuery,
      response: { 200: outageList, ...failuresOfList },
    }),
    async ({ query }) => {
      const now = unixSeconds(clock);
      const to = query.to ?? now;
      const from = query.from ?? Math.max(0, to - DEFAULT_SPAN);
      if (from >= to) throw invalidRequest('"from" must be before "to".', 'from');
      return { data: await listOutages(store.lists, { from, to, now }), next_cursor: null };
    },
  );
}
