// /ledger: every movement of money.
import { ledgerFoldList, ledgerFoldQuery, ledgerList, ledgerQuery } from '#contract/ledger.ts';
import { listLedgerGroups } from '../../store/queries/folded-ledger.ts';
import { listLedger } from '../../store/queries/ledger.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readNumberCursor, withNames, writeCursor, writePage } from '../list-page.ts';
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
    async ({ query: { limit, cursor, ...filters } }) => {
      const rows = await listLedger(lists, {
        accountId: filters.account_id,
        tokenId: filters.token_id,
        requestId: filters.request_id,
        taskId: filters.task_id,
        kind: filters.kind,
        mode: filters.mode,
        from: filters.from,
        to: filters.to,
        after: readNumberCursor(cursor),
        limit: limit + 1,
      });
      const page = writePage(rows, limit, { key: (row) => String(row.id), write: writeLedgerEntry });
      return withNames(lists, page, (data) => ({
        accounts: data.map((row) => row.account_id),
        tokens: data.map((row) => row.token_id),
      }));
    },
  );

  app.get(
    '/ledger/folded',
    route('Ledger', 'List the ledger with the entries of one request or task together, newest first', {
      querystring: ledgerFoldQuery,
      response: { 200: ledgerFoldList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, ...filters } }) => {
      const { groups, next } = await listLedgerGroups(lists, {
        accountId: filters.account_id,
        tokenId: filters.token_id,
        requestId: filters.request_id,
        taskId: filters.task_id,
        mode: filters.mode,
        from: filters.from,
        to: filters.to,
        after: readNumberCursor(cursor),
        limit,
      });
      const page = {
        data: groups.map(writeLedgerFold),
        next_cursor: next === undefined ? null : writeCursor(String(next)),
      };
      return withNames(lists, page, (data) => ({
        accounts: data.map((row) => row.account_id),
        tokens: data.map((row) => row.token_id),
      }));
    },
  );
}
