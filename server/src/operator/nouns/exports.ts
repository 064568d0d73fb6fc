// /exports: the sinks of the export and how far each is behind (contract-2 12).
import { z } from 'zod';
import { exportList } from '#contract/exports.ts';
import { listQuery } from '#contract/values/lists.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, route } from '../operation.ts';

export function exportRoutes(app: OperatorApp, { exports }: OperatorDependencies): void {
  app.get(
    '/exports',
    route('Exports', 'List the sinks of the export', {
      querystring: z.strictObject(listQuery),
      response: { 200: exportList, ...failuresOfList },
    }),
    async () => ({ data: await exports.states(), next_cursor: null }),
  );
}
