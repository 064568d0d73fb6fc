// /alerts: what is or was wrong, and the rules that look for it (contract-2 10).
import { z } from 'zod';
import {
  alert,
  alertList,
  alertQuery,
  alertRule,
  alertRuleList,
  alertRuleParams,
  alertRulePut,
} from '#contract/alerts.ts';
import { listQuery } from '#contract/values/lists.ts';
import { listAlerts } from '../../store/queries/alerts.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { failures, failuresOfList, failuresOfOne, idParams, route } from '../operation.ts';
import { getAlert, getRule, listRules, setRule, writeAlert } from '../records/alerts.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Alerts';

export function alertRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { store } = dependencies;

  app.get(
    '/alerts',
    route(TAG, 'List alerts, newest first', {
      querystring: alertQuery,
      response: { 200: alertList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor, ...filters } }) =>
      readPage({ limit, cursor }, (paging) => listAlerts(store.lists, { ...filters, ...paging }), writeAlert),
  );

  app.get(
    '/alerts/:id',
    route(TAG, 'Read an alert', { params: idParams, response: { 200: alert, ...failuresOfOne } }),
    async ({ params: { id } }) => getAlert(store.reads, id),
  );

  app.get(
    '/alerts/rules',
    route(TAG, 'List the rules of alerts', {
      querystring: z.strictObject(listQuery),
      response: { 200: alertRuleList, ...failures },
    }),
    async () => ({ data: await listRules(store.reads), next_cursor: null }),
  );

  app.get(
    '/alerts/rules/:rule',
    route(TAG, 'Read a rule of alerts', { params: alertRuleParams, response: { 200: alertRule, ...failuresOfOne } }),
    async ({ params: { rule } }) => getRule(store.reads, rule),
  );

  app.put(
    '/alerts/rules/:rule',
    route(TAG, 'Set a rule of alerts; thresholds that are left out are the defaults', {
      params: alertRuleParams,
      body: alertRulePut,
      response: { 200: alertRule, ...failuresOfOne },
    }),
    async (request) => {
      const { rule } = request.params;
      const after = await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const changed = await setRule(transaction, rule, request.body);
        requireMatch(request, changed.before);
        const { before } = changed;
        const audit = auditOf({ action: 'alert_rule.set', id: rule, before, after: changed.after });
        return { answer: changed.after, audit, notice: null };
      });
      dependencies.alerts.wake();
      return after;
    },
  );
}
