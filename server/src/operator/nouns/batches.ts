// /batches: batches of all accounts, and how far they are.
import { batch, batchList, batchQuery } from '#contract/batches.ts';
import { findBatch, listBatches } from '../../store/queries/batches.ts';
import type { Paging } from '../../store/queries/rows.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readPage } from '../list-page.ts';
import { notFound } from '../not-found.ts';
import { failuresOfList, failuresOfOne, idParams, route } from '../operation.ts';
import { writeBatch } from '../records/batches.ts';

const TAG = 'Batches';

export function batchRoutes(app: OperatorApp, { store: { reads, lists } }: OperatorDependencies): void {
  app.get(
    '/batches',
    route(TAG, 'List batches, newest first', {
      querystring: batchQuery,
      response: { 200: batchList, ...failuresOfList },
    }),
    async ({ query }) => {
      const filters = { accountId: query.account_id, state: query.status, withDeleted: true };
      const list = (paging: Paging) => listBatches(lists, { ...filters, ...paging });
      const { data, next_cursor } = await readPage(query, list, (row) => row);
      return { data: await Promise.all(data.map((row) => writeBatch(lists, row))), next_cursor };
    },
  );

  app.get(
    '/batches/:id',
    route(TAG, 'Read a batch', { params: idParams, response: { 200: batch, ...failuresOfOne } }),
    async ({ params: { id } }) => {
      const row = await findBatch(reads, id);
      if (row === undefined || row.state === 'holding') throw notFound('batch', id);
      return writeBatch(reads, row);
    },
  );
}
