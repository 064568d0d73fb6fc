// /batches: batches of all accounts, and how far they are.
import { batch, batchList, batchQuery } from '#contract/batches.ts';
import { findBatch, listBatches } from '../../store/queries/batches.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor, writePage } from '../list-page.ts';
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
    async ({ query: { limit, cursor, status, account_id } }) => {
      const rows = await listBatches(lists, {
        accountId: account_id,
        state: status,
        withDeleted: true,
        after: readCursor(cursor),
        limit: limit + 1,
      });
      const { data, next_cursor } = writePage(rows, limit, { key: ({ id }) => id, write: (row) => row });
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
