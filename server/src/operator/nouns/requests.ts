// /requests: the request log, and the bodies that were kept of a request.
import { ledgerEntry } from '#contract/ledger.ts';
import {
  type LoggedRequest,
  refund,
  type RequestDetail,
  type RequestBodies,
  requestBodies,
  requestDetail,
  requestList,
  requestQuery,
} from '#contract/requests.ts';
import { formatAmount } from '../../billing/money.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { keyHints } from '../../store/queries/channels.ts';
import type { LedgerRow } from '../../store/queries/ledger.ts';
import { findRequest, listRequests } from '../../store/queries/requests.ts';
import { findBodies, type KeptBody, openBodies } from '../../store/queries/request-bodies.ts';
import { findTaskOfRequest, taskStatesOf } from '../../store/queries/tasks.ts';
import type { Reads } from '../../store/store.ts';
import type { RequestsTable, TaskState } from '../../store/tables.ts';
import { statusOf } from '../../tasks/task.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { idsOfRows, readCursor, withNames, writePage } from '../list-page.ts';
import { required } from '../not-found.ts';
import { failuresOfList, failuresOfName, failuresOfOne, requestParams, route } from '../operation.ts';
import { writeLedgerEntry } from '../records/credits.ts';
import { addRefund, findRefund } from '../records/refunds.ts';
import { writeLogLine } from '../records/requests.ts';
import { makeChange } from '../make-change.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Requests';
/** The least status of one that failed. */
const FAILED = 400;

export function requestRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { currency, secretBox } = dependencies;
  const { reads, lists } = dependencies.store;
  app.get(
    '/requests',
    route(TAG, 'List requests, newest first', {
      querystring: requestQuery,
      response: { 200: requestList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, failed, ...filters } }) => {
      const after = readCursor(cursor);
      const listing = {
        id: filters.id,
        accountId: filters.account_id,
        tokenId: filters.token_id,
        model: filters.model,
        channelId: filters.channel_id,
        provider: filters.provider,
        endpoint: filters.endpoint,
        group: filters.group,
        mode: filters.mode,
        lacks: filters.lacks,
        status: filters.status,
        errorCode: filters.error_code,
        usageSource: filters.usage_source,
        unpriced: filters.unpriced,
        from: filters.from,
        to: filters.to,
        least: failed === 'true' ? FAILED : undefined,
        below: failed === 'false' ? FAILED : undefined,
        after,
        limit: limit + 1,
      };
      const rows = await listRequests(lists, listing);
      // Shorter than asked for: the store has no more, and those before have left it.
      const { archive } = dependencies.exports;
      if (archive !== undefined && rows.length <= limit)
        rows.push(
          ...(await archive.list({ ...listing, after: rows.at(-1)?.id ?? after, limit: limit + 1 - rows.length })),
        );
      const states = await statesOfTasks(lists, rows);
      const page = writePage(rows, limit, {
        key: (row) => row.id,
        write: (row) => writeRequest(row, states.get(row.id)),
      });
      return withNames(lists, page, idsOfRows);
    },
  );

  app.get(
    '/requests/:id',
    route(TAG, 'Read a request', { params: requestParams, response: { 200: requestDetail, ...failuresOfOne } }),
    async ({ params: { id } }) => {
      const known = (await findRequest(reads, id)) ?? (await dependencies.exports.archive?.find(id));
      const row = required(known, 'request', id);
      const [taskId, states, bodies] = await Promise.all([
        findTaskOfRequest(reads, id),
        statesOfTasks(reads, [row]),
        findBodies(reads, id),
      ]);
      const found = await findRefund(reads, id, taskId);
      const written = writeRequest(row, states.get(id));
      return {
        ...written,
        attempts: await withHints(reads, written.attempts),
        task_id: taskId ?? null,
        has_bodies: bodies !== undefined,
        currency,
        refund: found === undefined ? null : writeRefund(found),
      };
    },
  );

  app.post(
    '/requests/:id/refund',
    route(TAG, 'Give the charge of a request back, once', {
      params: requestParams,
      body: refund,
      response: { 201: ledgerEntry, ...failuresOfName },
    }),
    async (request, reply) => {
      const { id } = request.params;
      const author = operatorOf(request).name;
      const entry = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await addRefund(transaction, { requestId: id, author, ...request.body }, at);
        const { account_id } = answer;
        const detail = {
          account_id,
          amount: formatAmount(answer.amount),
          reason: request.body.reason,
          ledger_id: String(answer.id),
        };
        return { answer, audit: { action: 'request.refund', id, detail }, notice: 'account', noticeId: account_id };
      });
      return reply.code(201).send(writeLedgerEntry(entry));
    },
  );

  app.get(
    '/requests/:id/bodies',
    route(TAG, 'What was asked and answered, where the token has it kept; for admins', {
      params: requestParams,
      response: { 200: requestBodies, ...failuresOfOne },
    }),
    async (request): Promise<RequestBodies> => {
      // Only admins read what people wrote.
      if (operatorOf(request).role !== 'admin') throw new GatewayError('forbidden');
      const { id } = request.params;
      const row = required(await findBodies(reads, id), 'request with kept bodies', id);
      const kept = openBodies(row, secretBox);
      return {
        request_id: id,
        request: writeBody(kept.request),
        answer: writeBody(kept.answer),
        created_at: row.created_at,
      };
    },
  );
}

/** Only submits of videos have one. */
async function statesOfTasks(reads: Reads, rows: RequestsTable[]): Promise<Map<string, TaskState>> {
  return taskStatesOf(
    reads,
    rows.filter(({ endpoint }) => endpoint.includes('/video')).map(({ id }) => id),
  );
}

function writeRequest(row: RequestsTable, state: TaskState | undefined): LoggedRequest {
  return { ...writeLogLine(row), task_status: state === undefined ? null : statusOf({ state }) };
}

function writeRefund(row: LedgerRow): RequestDetail['refund'] {
  return {
    ledger_id: String(row.id),
    amount: formatAmount(row.amount),
    reason: row.note,
    author: row.author,
    created_at: row.created_at,
  };
}

/** Keys are known to operators by their hints. */
async function withHints(reads: Reads, attempts: LoggedRequest['attempts']): Promise<LoggedRequest['attempts']> {
  const hints = await keyHints(
    reads,
    attempts.flatMap(({ key_id }) => key_id ?? []),
  );
  return attempts.map((attempt) => {
    const hint = attempt.key_id === undefined ? undefined : hints.get(attempt.key_id);
    return hint === undefined ? attempt : { ...attempt, key_hint: hint };
  });
}

function writeBody(body: KeptBody | null): RequestBodies['request'] {
  return body === null ? null : { content_type: body.contentType, bytes: body.bytes, text: body.text };
}
