// Brings the alerts of a rule in line with what it finds: opens, describes again, resolves. An alert and what is sent of it are
// one commit, and a second process that finds the same changes nothing: it is opened once and resolved once.
import { alertRules, type AlertRuleName } from '#contract/alert-rules.ts';
import { makeOrderedId } from '../shared/ids.ts';
import { plainText } from '../shared/plain-text.ts';
import { type AlertRow, describeAlert, insertAlert, resolveAlert } from '../store/queries/alerts.ts';
import { enabledSinks, insertDeliveries, openingsOf } from '../store/queries/alert-sinks.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { AlertSinksTable } from '../store/tables.ts';
import { makeDelivery } from './alert-event.ts';
import type { Finding } from './finding.ts';

export interface Changes {
  opened: Finding[];
  described: { alert: AlertRow; finding: Finding }[];
  resolved: AlertRow[];
}

const LONGEST_TITLE = 200;
const LONGEST_DETAIL = 500;
/** Words of upstreams change with every call. */
const DESCRIBE_SECONDS = 60;

/** undefined = nothing to write. */
export function changesOf(open: readonly AlertRow[], findings: readonly Finding[], now: number): Changes | undefined {
  const bySubject = new Map(open.map((alert) => [alert.subject, alert]));
  const found = new Set(findings.map(({ subject }) => subject));
  const shortened = findings.map((finding) => ({
    ...finding,
    title: plainText(finding.title, LONGEST_TITLE),
    detail: plainText(finding.detail, LONGEST_DETAIL),
  }));
  const opened = shortened.filter(({ subject }) => !bySubject.has(subject));
  const described = shortened.flatMap((finding) => {
    const alert = bySubject.get(finding.subject);
    const isOld = alert !== undefined && now - alert.updated_at >= DESCRIBE_SECONDS;
    if (!isOld || (alert.title === finding.title && alert.detail === finding.detail)) return [];
    return [{ alert, finding }];
  });
  const resolved = open.filter(({ subject }) => !found.has(subject));
  return opened.length + described.length + resolved.length === 0 ? undefined : { opened, described, resolved };
}

/** True when there is something to send. */
export async function keepAlerts(
  store: Store,
  rule: AlertRuleName,
  { opened, described, resolved }: Changes,
  nowMs: number,
): Promise<boolean> {
  const now = Math.floor(nowMs / 1000);
  return store.transaction(async (transaction) => {
    const all = opened.length + resolved.length === 0 ? [] : await enabledSinks(transaction);
    const sinks = all.filter((sink) => wants(sink, rule));
    let isSent = false;
    for (const finding of opened) {
      const { kind, subject, title, detail } = finding;
      const alert: AlertRow = {
        id: makeOrderedId('alr', nowMs),
        rule,
        severity: alertRules[rule].severity,
        subject_kind: kind,
        subject,
        title,
        detail,
        opened_at: now,
        updated_at: now,
        resolved_at: null,
      };
      if (!(await insertAlert(transaction, alert))) continue;
      const deliveries = sinks.map(({ id }) => makeDelivery({ sinkId: id, event: 'opened', alert, now: nowMs }));
      await insertDeliveries(transaction, deliveries);
      isSent ||= deliveries.length > 0;
    }
    for (const { alert, finding } of described)
      await describeAlert(transaction, alert.id, { title: finding.title, detail: finding.detail, updated_at: now });
    for (const alert of resolved) isSent = (await resolve(transaction, alert, { sinks, nowMs })) || isSent;
    return isSent;
  });
}

/** Who was notified of its beginning is notified of its end. */
async function resolve(
  transaction: Transaction,
  alert: AlertRow,
  { sinks, nowMs }: { sinks: readonly AlertSinksTable[]; nowMs: number },
): Promise<boolean> {
  const resolved_at = Math.floor(nowMs / 1000);
  if (!(await resolveAlert(transaction, alert.id, resolved_at))) return false;
  const ended = { ...alert, resolved_at };
  const deliveries = (await openingsOf(transaction, alert.id)).flatMap(({ sink_id, next_attempt_at, completed_at }) => {
    const sink = sinks.find(({ id }) => id === sink_id);
    if (sink === undefined || sink.resolved === 0) return [];
    const dueAt = completed_at === null ? Math.max(nowMs, next_attempt_at) : nowMs;
    return [makeDelivery({ sinkId: sink_id, event: 'resolved', alert: ended, now: nowMs, dueAt })];
  });
  await insertDeliveries(transaction, deliveries);
  return deliveries.length > 0;
}

function wants({ rules }: AlertSinksTable, rule: string): boolean {
  return rules === null || (JSON.parse(rules) as string[]).includes(rule);
}
