// One evaluation of one rule: what it finds becomes alerts. A rule that is off finds nothing.
import type { AlertRuleName } from '#contract/alert-rules.ts';
import { type AlertRow, openAlerts } from '../store/queries/alerts.ts';
import type { Store } from '../store/store.ts';
import type { RuleContext } from './finding.ts';
import { changesOf, keepAlerts } from './keep-alerts.ts';
import type { RuleSettings } from './rule-settings.ts';
import { rules } from './rules/rules.ts';

export interface Evaluation {
  rule: AlertRuleName;
  settings: RuleSettings;
  /** Milliseconds. */
  now: number;
  /** Since when nothing is found of an open alert, by its id. */
  calmSince: Map<string, number>;
  surroundings: Pick<RuleContext, 'currency' | 'withSandbox' | 'writeTimes'>;
}

/** Says whether there is something to send, and which alerts are open now. */
export async function evaluateRule(
  store: Store,
  { rule, settings, now, calmSince, surroundings }: Evaluation,
): Promise<{ isSent: boolean; open: AlertRow[] }> {
  const { find, calmSeconds = 0 } = rules[rule];
  const seconds = Math.floor(now / 1000);
  const open = await openAlerts(store.reads, rule);
  const subjects = new Set(open.map(({ subject }) => subject));
  const context = {
    ...surroundings,
    reads: store.reads,
    now: seconds,
    thresholds: settings.thresholds,
    open: subjects,
  };
  const findings = settings.enabled ? await find(context) : [];
  const changes = changesOf(open, findings, seconds);
  const gone = new Set(changes?.resolved.map(({ id }) => id));
  for (const { id } of open) if (!gone.has(id)) calmSince.delete(id);
  if (changes === undefined) return { isSent: false, open };
  const resolved = changes.resolved.filter(({ id }) => {
    const since = calmSince.get(id) ?? seconds;
    calmSince.set(id, since);
    return !settings.enabled || seconds - since >= calmSeconds;
  });
  for (const { id } of resolved) calmSince.delete(id);
  if (changes.opened.length + changes.described.length + resolved.length === 0) return { isSent: false, open };
  const isSent = await keepAlerts(store, rule, { ...changes, resolved }, now);
  return { isSent, open: await openAlerts(store.reads, rule) };
}
