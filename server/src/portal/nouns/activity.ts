// Requests and video tasks of the account, without channels, upstreams or costs.
import { portalRequestList, portalRequestQuery, portalTaskList, portalTaskQuery } from '#contract/portal.ts';
import { formatAmount } from '../../billing/money.ts';
import type { OperatorApp } from '../../operator/dependencies.ts';
import { readCursor, writePage } from '../../operator/list-page.ts';
import { failuresOfList, operation } from '../../operator/operation.ts';
import { listRequests } from '../../store/queries/requests.ts';
import { listTasks } from '../../store/queries/tasks.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { memberOf } from '../member-session.ts';

const TAG = 'Portal';

export function portalActivityRoutes(app: OperatorApp, { store: { lists } }: PortalDependencies): void {
  app.get(
    '/requests',
    {
      schema: {
        ...operation(TAG, 'List requests, newest first'),
        querystring: portalRequestQuery,
        response: { 200: portalRequestList, ...failuresOfList },
      },
    },
    async (request) => {
      const { limit, cursor, failed, token_id: tokenId, model, from, to } = request.query;
      const rows = await listRequests(lists, {
        accountId: memberOf(request).row.account_id,
        tokenId,
        model,
        from,
        to,
        least: failed === 'true' ? 400 : undefined,
        after: readCursor(cursor),
        limit: limit + 1,
      });
      return writePage(rows, limit, {
        key: (row) => row.id,
        write: (row) => ({
          id: row.id,
          token_id: row.token_id,
          endpoint: row.endpoint,
          model: row.model,
          status: row.status,
          error_code: row.error_code,
          first_byte_ms: row.first_byte_ms,
          total_ms: row.total_ms,
          usage: row.usage === null ? null : (JSON.parse(row.usage) as Record<string, unknown>),
          charge: formatAmount(row.charge),
          mode: row.mode,
          created_at: row.created_at,
        }),
      });
    },
  );

  app.get(
    '/tasks',
    {
      schema: {
        ...operation(TAG, 'List video tasks, newest first'),
        querystring: portalTaskQuery,
        response: { 200: portalTaskList, ...failuresOfList },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const accountId = memberOf(request).row.account_id;
      const rows = await listTasks(lists, { accountId, after: readCursor(cursor), limit: limit + 1 });
      return writePage(rows, limit, {
        key: (row) => row.id,
        write: (row) => ({
          id: row.id,
          token_id: row.token_id,
          model: row.model,
          status: row.state,
          progress: row.progress,
          fail_reason: row.fail_reason,
          seconds: row.seconds,
          size: row.size,
          charge: row.charge === null ? null : formatAmount(row.charge),
          mode: row.mode,
          created_at: row.created_at,
          completed_at: row.completed_at,
        }),
      });
    },
  );
}
