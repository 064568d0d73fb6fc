// /audit: who changed what.
import { auditList, auditQuery } from '#contract/audit.ts';
import { listAudit } from '../../store/queries/audit.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readNumberCursor, writePage } from '../list-page.ts';
import { failuresOfList, route } from '../operation.ts';
import { nameEntries, writeAuditEntry } from '../records/audit.ts';

export function auditRoutes(app: OperatorApp, { store: { lists } }: OperatorDependencies): void {
  app.get(
    '/audit',
    route('Audit', 'List changes made by operators, newest first', {
      querystring: auditQuery,
      response: { 200: auditList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, resource_id: resourceId, ...filters } }) => {
      const after = readNumberCursor(cursor);
      const rows = await listAudit(lists, { ...filters, resourceId, after, limit: limit + 1 });
      return nameEntries(lists, writePage(rows, limit, { key: (row) => String(row.id), write: writeAuditEntry }));
    },
  );
}
