// Rules as operators have set them: what they changed, over the defaults of the contract.
import { alertRuleName, type AlertRuleName, defaultThresholds, type Thresholds } from '#contract/alert-rules.ts';
import { type AlertRuleRow, listAlertRules } from '../store/queries/alerts.ts';
import type { Reads } from '../store/store.ts';

export interface RuleSettings {
  enabled: boolean;
  thresholds: Thresholds;
}

export async function readRuleSettings(reads: Reads): Promise<Map<AlertRuleName, RuleSettings>> {
  const rows = new Map((await listAlertRules(reads)).map((row) => [row.rule, row]));
  return new Map(alertRuleName.options.map((rule) => [rule, settingsOf(rule, rows.get(rule))]));
}

function settingsOf(rule: AlertRuleName, row: AlertRuleRow | undefined): RuleSettings {
  const defaults = defaultThresholds(rule);
  if (row === undefined) return { enabled: true, thresholds: defaults };
  const changed = JSON.parse(row.thresholds) as Thresholds;
  const known = Object.entries(changed).filter(([name]) => name in defaults); // an older version may have known others
  return { enabled: row.enabled === 1, thresholds: { ...defaults, ...Object.fromEntries(known) } };
}
