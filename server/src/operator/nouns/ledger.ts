// /ledger: every movement of money, one by one, and the entries of one request or task together.
import type { z } from 'zod';
import { ledgerFoldList, ledgerFoldQuery, ledgerList, ledgerQuery } from '#contract/ledger.ts';
import { listLedgerGroups } from '../../store/queries/folded-ledger.ts';
import { listLedger } from '../../store/queries/ledger.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { idsOfRows, readNumberCursor, withNames, writeCursor, writePage } from '../list-page.ts';
import { failuresOfList, route } from '../operation.ts';
import { writeLedgerEntry } from '../records/credits.ts';
import { writeLedgerFold } from '../records/ledger-folds.ts';

export function ledgerRoutes(app: OperatorApp, { store: { lists } }: OperatorDependencies): void {
  app.get(
    '/ledger',
    route('Ledger', 'List ledger entries, newest first', {
      querystring: ledgerQuery,
      response: { 200: ledgerList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, kind, ...filters } }) => {
      const listing = { ...listingOf(filters), kind, after: readNumberCursor(cursor) };
      const rows = await listLedger(lists, { ...listing, limit: limit + 1 });
      const page = writePage(rows, limit, { key: (row) => String(row.id), write: writeLedgerEntry });
      return withNames(lists, page, idsOfRows);
    },
  );

  app.get(
    '/ledger/folded',
    route('Ledger', 'List the ledger with the entries of one request or task together, newest first', {
      querystring: ledgerFoldQuery,
      response: { 200: ledgerFoldList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, ...filters } }) => {
      const listing = { ...listingOf(filters), after: readNumberCursor(cursor), limit };
      const { groups, next } = await listLedgerGroups(lists, listing);
      const page = {
        data: groups.map(writeLedgerFold),
        next_cursor: next === undefined ? null : writeCursor(String(next)),
      };
      return withNames(lists, page, idsOfRows);
    },
  );
}

type Filters = Omit<z.infer<typeof ledgerFoldQuery>, 'limit' | 'cursor'>;

function listingOf({ account_id, token_id, request_id, task_id, ...others }: Filters) {
  return { accountId: account_id, tokenId: token_id, requestId: request_id, taskId: task_id, ...others };
}
