// /prices: bring prices in, and see how they came about.
import { priceImport, priceImportResult, priceVersionList, priceVersionQuery } from '#contract/price-import.ts';
import { listPriceVersions } from '../../store/queries/price-versions.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readNumberCursor, writePage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { failures, failuresOfList, route } from '../operation.ts';
import { importPrices, readSource } from '../records/price-import.ts';
import { writePriceVersion } from '../records/price-versions.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Prices';

export function priceRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.post(
    '/prices/import',
    route(TAG, 'Import prices of models, or see what an import would change', {
      body: priceImport,
      response: { 200: priceImportResult, ...failures },
    }),
    async (request) => {
      const author = operatorOf(request).name;
      const source = await readSource(request.body);
      const { create, dry_run: dryRun } = request.body;
      return makeChange(dependencies, author, async (transaction, at) => {
        const answer = await importPrices(transaction, source, { author, at, create, dryRun });
        const changed = answer.changes.filter(({ action }) => action === 'create' || action === 'change');
        if (dryRun || changed.length === 0) return { answer, audit: null, notice: null };
        const detail = { source: answer.source, models: changed.map(({ model }) => model) };
        return { answer, audit: { action: 'price.import', id: answer.source, detail }, notice: 'catalogue' };
      });
    },
  );

  app.get(
    '/prices/versions',
    route(TAG, 'List what prices were, newest first', {
      querystring: priceVersionQuery,
      response: { 200: priceVersionList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, model } }) => {
      const after = readNumberCursor(cursor);
      const rows = await listPriceVersions(dependencies.store.lists, { model, after, limit: limit + 1 });
      return writePage(rows, limit, { key: (row) => String(row.id), write: writePriceVersion });
    },
  );
}
