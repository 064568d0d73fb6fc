// Alerts, their rules and what was sent of them, as operators see them.
import { type AlertRuleName, alertRules, defaultThresholds, thresholdProblem } from '#contract/alert-rules.ts';
import type { Alert, AlertDelivery, AlertRule, AlertRulePut } from '#contract/alerts.ts';
import type { AlertEvent } from '../../alerts/alert-event.ts';
import { readRuleSettings, type RuleSettings } from '../../alerts/rule-settings.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type AlertRow, countOpenAlerts, findAlert, putAlertRule } from '../../store/queries/alerts.ts';
import type { AlertDeliveryRow } from '../../store/queries/alert-sinks.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { required } from '../not-found.ts';

export function writeAlert(alert: AlertRow): Alert {
  const { updated_at: _, rule, ...row } = alert;
  return { ...row, rule: rule as AlertRuleName, state: row.resolved_at === null ? 'open' : 'resolved' };
}

export async function getAlert(reads: Reads, id: string): Promise<Alert> {
  return writeAlert(required(await findAlert(reads, id), 'alert', id));
}

export async function listRules(reads: Reads): Promise<AlertRule[]> {
  const settings = await readRuleSettings(reads);
  const open = await countOpenAlerts(reads);
  return Array.from(settings, ([rule, own]) => writeRule(rule, own, open.get(rule) ?? 0));
}

/** What changes by itself is no part of the etag. */
function writeRule(rule: AlertRuleName, { enabled, thresholds }: RuleSettings, open: number): AlertRule {
  const { title, description, severity } = alertRules[rule];
  return { ...withEtag({ rule, title, description, severity, enabled, thresholds }), open };
}

export async function getRule(reads: Reads, rule: AlertRuleName): Promise<AlertRule> {
  const found = (await listRules(reads)).find((one) => one.rule === rule);
  return required(found, 'alert rule', rule);
}

export async function setRule(
  transaction: Transaction,
  rule: AlertRuleName,
  { enabled, thresholds }: AlertRulePut,
): Promise<{ before: AlertRule; after: AlertRule }> {
  const problem = thresholdProblem(rule, thresholds);
  if (problem !== undefined) {
    const param = `thresholds.${problem.name}`;
    throw invalidRequest(`"${param}" ${problem.sentence}.`, param);
  }
  const before = await getRule(transaction, rule);
  const all = JSON.stringify({ ...defaultThresholds(rule), ...thresholds });
  await putAlertRule(transaction, { rule, enabled: enabled ? 1 : 0, thresholds: all });
  return { before, after: await getRule(transaction, rule) };
}

export function writeAlertDelivery(row: AlertDeliveryRow): AlertDelivery {
  const attempts = JSON.parse(row.log) as AlertDelivery['attempts'];
  return {
    id: row.id,
    sink_id: row.sink_id,
    alert_id: row.alert_id,
    event: row.event,
    title: (JSON.parse(row.payload) as AlertEvent).data.title,
    status: row.status,
    attempts,
    last_error: attempts.at(-1)?.error ?? null,
    next_attempt_at: row.completed_at === null ? Math.floor(row.next_attempt_at / 1000) : null,
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}
