// /attention: what needs attention, in one call.
import { attention } from '#contract/attention.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, route } from '../operation.ts';
import { readAttention } from '../records/attention.ts';

export function attentionRoutes(app: OperatorApp, { store, clock }: OperatorDependencies): void {
  app.get(
    '/attention',
    route('Alerts', 'What needs attention: open alerts, and odd requests and models', {
      response: { 200: attention, ...failuresOfList },
    }),
    async () => readAttention(store.lists, unixSeconds(clock)),
  );
}
