// /attention: what needs attention, in one call.
import { attention } from '#contract/attention.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, operation } from '../operation.ts';
import { readAttention } from '../records/attention.ts';

export function attentionRoutes(app: OperatorApp, { store, clock }: OperatorDependencies): void {
  app.get(
    '/attention',
    {
      schema: {
        ...operation('Alerts', 'What needs attention: open alerts, and odd requests and models'),
        response: { 200: attention, ...failuresOfList },
      },
    },
    async () => readAttention(store.lists, unixSeconds(clock)),
  );
}
