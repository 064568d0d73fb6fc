// /providers: the kinds of upstreams that channels can have.
import { providerList } from '#contract/providers.ts';
import { listProviders } from '../../providers/registry.ts';
import type { OperatorApp } from '../dependencies.ts';
import { failures, route } from '../operation.ts';
import { writeProvider } from '../records/providers.ts';

export function providerRoutes(app: OperatorApp): void {
  app.get(
    '/providers',
    route('Providers', 'List kinds of upstreams, with their fields, price units, options and presets', {
      response: { 200: providerList, ...failures },
    }),
    async () => ({ data: listProviders().map(writeProvider), next_cursor: null }),
  );
}
