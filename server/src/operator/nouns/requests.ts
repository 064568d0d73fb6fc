// /requests: the request log.
import { type LoggedRequest, requestDetail, requestList, requestQuery } from '#contract/requests.ts';
import { formatAmount } from '../../billing/money.ts';
import { findRequest, listRequests } from '../../store/queries/requests.ts';
import { findBodies } from '../../store/queries/request-bodies.ts';
import { findTaskOfRequest } from '../../store/queries/task-of-request.ts';
import type { RequestsTable } from '../../store/tables.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor, writePage } from '../list-page.ts';
import { notFound } from '../not-found.ts';
import { failuresOfList, failuresOfOne, idParams, operation } from '../operation.ts';

const TAG = 'Requests';

export function requestRoutes(app: OperatorApp, { store: { reads, lists } }: OperatorDependencies): void {
  app.get(
    '/requests',
    {
      schema: {
        ...operation(TAG, 'List requests, newest first'),
        querystring: requestQuery,
        response: { 200: requestList, ...failuresOfList },
      },
    },
    async ({ query: { limit, cursor, failed, ...filters } }) => {
      const after = readCursor(cursor);
      const least = failed === 'true' ? 400 : undefined;
      const rows = await listRequests(lists, {
        id: filters.id,
        accountId: filters.account_id,
        tokenId: filters.token_id,
        model: filters.model,
        channelId: filters.channel_id,
        status: filters.status,
        errorCode: filters.error_code,
        usageSource: filters.usage_source,
        unpriced: filters.unpriced,
        from: filters.from,
        to: filters.to,
        least,
        after,
        limit: limit + 1,
      });
      return writePage(rows, limit, { key: (row) => row.id, write: writeRequest });
    },
  );

  app.get(
    '/requests/:id',
    {
      schema: {
        ...operation(TAG, 'Read a request'),
        params: idParams,
        response: { 200: requestDetail, ...failuresOfOne },
      },
    },
    async ({ params: { id } }) => {
      const row = await findRequest(reads, id);
      if (row === undefined) throw notFound('request', id);
      const [taskId, bodies] = await Promise.all([findTaskOfRequest(reads, id), findBodies(reads, id)]);
      return { ...writeRequest(row), task_id: taskId ?? null, has_bodies: bodies !== undefined };
    },
  );
}

function writeRequest(row: RequestsTable): LoggedRequest {
  return {
    id: row.id,
    account_id: row.account_id || null,
    token_id: row.token_id || null,
    group: row.group_name,
    endpoint: row.endpoint,
    model: row.model,
    channel_id: row.channel_id,
    status: row.status,
    error_code: row.error_code,
    reason: row.reason ?? null,
    attempts: JSON.parse(row.attempts) as LoggedRequest['attempts'],
    first_byte_ms: row.first_byte_ms,
    total_ms: row.total_ms,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as LoggedRequest['usage']),
    usage_source: row.usage_source,
    charge: formatAmount(row.charge),
    arithmetic: row.arithmetic,
    mode: row.mode,
    created_at: row.created_at,
  };
}
