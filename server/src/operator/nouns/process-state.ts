// /process: how the gateway runs.
import { processState } from '#contract/process-state.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failures, route } from '../operation.ts';

export function processRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/process',
    route('Process', 'Version, store, workers and the settings in force; secrets only as set or not set', {
      response: { 200: processState, ...failures },
    }),
    async () => dependencies.processState(),
  );
}
