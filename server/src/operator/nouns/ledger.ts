// /ledger: every movement of money.
import { ledgerList, ledgerQuery } from '#contract/ledger.ts';
import { listLedger } from '../../store/queries/ledger.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readNumberCursor, writePage } from '../list-page.ts';
import { failuresOfList, operation } from '../operation.ts';
import { writeLedgerEntry } from '../records/credits.ts';

export function ledgerRoutes(app: OperatorApp, { store: { lists } }: OperatorDependencies): void {
  app.get(
    '/ledger',
    {
      schema: {
        ...operation('Ledger', 'List ledger entries, newest first'),
        querystring: ledgerQuery,
        response: { 200: ledgerList, ...failuresOfList },
      },
    },
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
      return writePage(rows, limit, { key: (row) => String(row.id), write: writeLedgerEntry });
    },
  );
}
