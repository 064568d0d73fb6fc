// Requests and video tasks of the account, without channels, upstreams or costs.
import {
  type PortalRequest,
  portalRequest,
  portalRequestList,
  portalRequestQuery,
  type PortalTask,
  portalTask,
  portalTaskList,
  portalTaskQuery,
} from '#contract/portal.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { formatAmount } from '../../billing/money.ts';
import type { OperatorApp } from '../../operator/dependencies.ts';
import { readPage } from '../../operator/list-page.ts';
import { notFound } from '../../operator/not-found.ts';
import { failuresOfList, failuresOfOne, idParams as params, requestParams } from '../../operator/operation.ts';
import { sendVideo } from '../../operator/send-video.ts';
import { findRequest, listRequests } from '../../store/queries/requests.ts';
import { findOwnTask, listTasks, type TaskRow } from '../../store/queries/tasks.ts';
import type { RequestsTable } from '../../store/tables.ts';
import { statusOf } from '../../tasks/task.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { memberOf } from '../member-session.ts';
import { route } from '../operation.ts';

export function portalActivityRoutes(app: OperatorApp, dependencies: PortalDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/requests',
    route('List requests, newest first', {
      querystring: portalRequestQuery,
      response: { 200: portalRequestList, ...failuresOfList },
    }),
    async (request) => {
      const { failed, token_id: tokenId, model, from, to } = request.query;
      const { account_id: accountId } = memberOf(request).row;
      const filters = { accountId, tokenId, model, from, to, least: failed === 'true' ? 400 : undefined };
      return readPage(request.query, (paging) => listRequests(lists, { ...filters, ...paging }), writeRequest);
    },
  );

  app.get(
    '/tasks',
    route('List video tasks, newest first', {
      querystring: portalTaskQuery,
      response: { 200: portalTaskList, ...failuresOfList },
    }),
    async (request) => {
      const accountId = memberOf(request).row.account_id;
      return readPage(request.query, (paging) => listTasks(lists, { accountId, ...paging }), writeTask);
    },
  );

  app.get(
    '/requests/:id',
    route('Read a request', { params: requestParams, response: { 200: portalRequest, ...failuresOfOne } }),
    async (request) => {
      const { id } = request.params;
      const row = await findRequest(reads, id);
      if (row?.account_id !== memberOf(request).row.account_id) throw notFound('request', id);
      return writeRequest(row);
    },
  );

  app.get(
    '/tasks/:id',
    route('Read a video task', { params, response: { 200: portalTask, ...failuresOfOne } }),
    async (request) => writeTask(await requireTask(request.params.id, memberOf(request).row.account_id)),
  );

  app.get(
    '/tasks/:id/content',
    route('The video of a finished task, whole or a range', {
      params,
      response: { ...failuresOfOne, 409: errorAnswer, 410: errorAnswer, 502: errorAnswer },
    }),
    async (request, reply) => {
      const { id } = await requireTask(request.params.id, memberOf(request).row.account_id);
      return sendVideo(dependencies, { id, request, reply });
    },
  );

  async function requireTask(id: string, accountId: string): Promise<TaskRow> {
    const row = await findOwnTask(reads, accountId, id);
    if (row === undefined) throw notFound('task', id);
    return row;
  }
}

function writeRequest(row: RequestsTable): PortalRequest {
  return {
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
  };
}

function writeTask(row: TaskRow): PortalTask {
  return {
    id: row.id,
    token_id: row.token_id,
    model: row.model,
    status: statusOf(row),
    progress: row.progress,
    fail_reason: row.fail_reason,
    seconds: row.seconds,
    size: row.size,
    charge: row.charge === null ? null : formatAmount(row.charge),
    mode: row.mode,
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}
