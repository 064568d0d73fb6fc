// /audit: who changed what.
import { type AuditEntry, auditList, auditQuery } from '#contract/audit.ts';
import { type AuditRow, listAudit } from '../../store/queries/audit.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readNumberCursor, writePage } from '../list-page.ts';
import { failuresOfList, operation } from '../operation.ts';

export function auditRoutes(app: OperatorApp, { store: { lists } }: OperatorDependencies): void {
  app.get(
    '/audit',
    {
      schema: {
        ...operation('Audit', 'List changes made by operators, newest first'),
        querystring: auditQuery,
        response: { 200: auditList, ...failuresOfList },
      },
    },
    async ({ query: { limit, cursor, resource_id: resourceId, ...filters } }) => {
      const after = readNumberCursor(cursor);
      const rows = await listAudit(lists, { ...filters, resourceId, after, limit: limit + 1 });
      return writePage(rows, limit, { key: (row) => String(row.id), write: writeAuditEntry });
    },
  );
}

function writeAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: String(row.id),
    operator: row.operator,
    action: row.action,
    resource: row.resource,
    resource_id: row.resource_id,
    detail: JSON.parse(row.detail) as AuditEntry['detail'],
    created_at: row.created_at,
  };
}
