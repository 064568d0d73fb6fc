// /alerts/sinks: who is notified of alerts, a test of it, and the log of what was sent (contract-2 10).
import {
  alertDelivery,
  alertDeliveryList,
  alertSink,
  alertSinkCreate,
  alertSinkList,
  alertSinkMade,
  alertSinkPatch,
  alertSinkQuery,
} from '#contract/alerts.ts';
import { type AlertSinkRow, deleteSink, listSinkDeliveries, listSinks } from '../../store/queries/alert-sinks.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { done, failuresOfList, failuresOfName, failuresOfOne, idParams as params, route } from '../operation.ts';
import { changeSink, createSink, requireSink, writeSink } from '../records/alert-sinks.ts';
import { writeAlertDelivery } from '../records/alerts.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Alerts';
const PATH = '/alerts/sinks/:id';

export function alertSinkRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { store } = dependencies;

  app.get(
    '/alerts/sinks',
    route(TAG, 'List sinks of alerts', {
      querystring: alertSinkQuery,
      response: { 200: alertSinkList, ...failuresOfList },
    }),
    async ({ query }) => {
      const write = (row: AlertSinkRow) => writeSink(dependencies, row);
      return readPage(query, (paging) => listSinks(store.lists, paging), write);
    },
  );

  app.post(
    '/alerts/sinks',
    route(TAG, 'Create a sink of alerts; a secret that is made is shown once', {
      body: alertSinkCreate,
      response: { 201: alertSinkMade, ...failuresOfName },
    }),
    async (request, reply) => {
      const { made, secret } = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createSink(dependencies, transaction, request.body, at);
        const audit = { action: 'alert_sink.create', id: answer.made.id, detail: answer.made };
        return { answer, audit, notice: null };
      });
      return reply.code(201).send({ ...made, secret });
    },
  );

  app.get(
    PATH,
    route(TAG, 'Read a sink of alerts', { params, response: { 200: alertSink, ...failuresOfOne } }),
    async (request) => writeSink(dependencies, await requireSink(store.reads, request.params.id)),
  );

  app.patch(
    PATH,
    route(TAG, 'Change a sink of alerts; a secret that is made is shown once', {
      params,
      body: alertSinkPatch,
      response: { 200: alertSinkMade, ...failuresOfName },
    }),
    async (request) => {
      const { id } = request.params;
      return makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const { before, after, secret, isSecretChanged } = await changeSink(
          dependencies,
          transaction,
          id,
          request.body,
        );
        requireMatch(request, before);
        const differing = auditOf({ action: 'alert_sink.change', id, before, after });
        const detail = { ...differing?.detail, ...(isSecretChanged && { secret: 'changed' }) };
        const audit = Object.keys(detail).length === 0 ? null : { action: 'alert_sink.change', id, detail };
        return { answer: { ...after, secret }, audit, notice: null };
      });
    },
  );

  app.delete(
    PATH,
    route(TAG, 'Remove a sink of alerts, with its log', { params, response: { 204: done, ...failuresOfOne } }),
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const removed = writeSink(dependencies, await requireSink(transaction, id));
        requireMatch(request, removed);
        await deleteSink(transaction, id);
        const { name, kind } = removed;
        return { answer: undefined, audit: { action: 'alert_sink.remove', id, detail: { name, kind } }, notice: null };
      });
      return reply.code(204).send();
    },
  );

  app.post(
    `${PATH}/test`,
    route(TAG, 'Send a test to a sink now, once', { params, response: { 200: alertDelivery, ...failuresOfOne } }),
    async (request) => {
      const sink = await requireSink(store.reads, request.params.id);
      const sent = writeAlertDelivery(await dependencies.alerts.test(sink));
      const detail = { status: sent.status, error: sent.last_error };
      return makeChange(dependencies, operatorOf(request).name, async () => ({
        answer: sent,
        audit: { action: 'alert_sink.test', id: sink.id, detail },
        notice: null,
      }));
    },
  );

  app.get(
    `${PATH}/deliveries`,
    route(TAG, 'What was sent to a sink, newest first', {
      params,
      querystring: alertSinkQuery,
      response: { 200: alertDeliveryList, ...failuresOfOne, ...failuresOfList },
    }),
    async ({ params: { id }, query }) => {
      await requireSink(store.reads, id);
      return readPage(query, (paging) => listSinkDeliveries(store.lists, id, paging), writeAlertDelivery);
    },
  );
}
