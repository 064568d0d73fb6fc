// /process: how the gateway runs.
import { processState } from '#contract/process-state.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failures, operation } from '../operation.ts';

export function processRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/process',
    {
      schema: {
        ...operation('Process', 'Version, store, workers and the settings in force; secrets only as set or not set'),
        response: { 200: processState, ...failures },
      },
    },
    async () => dependencies.processState(),
  );
}
