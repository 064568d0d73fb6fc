// An event in words for people, for chats and mail.
import { alertRules, type AlertRuleName } from '#contract/alert-rules.ts';
import type { AlertEvent } from '../alert-event.ts';

export interface Message {
  /** One line. */
  subject: string;
  /** What stands below it. */
  lines: string[];
}

const WORDS = { 'alert.opened': 'Open', 'alert.resolved': 'Resolved', 'alert.test': 'Test' } as const;

export function messageOf({ type, data }: AlertEvent, consoleUrl: string | undefined): Message {
  const { rule, severity, title, detail, opened_at, resolved_at } = data;
  const facts = alertRules[rule as AlertRuleName];
  return {
    subject: `[Tollgate] ${WORDS[type]}: ${title}`,
    lines: [
      ...(detail === '' ? [] : [detail]),
      `Rule: ${facts.title} (${rule}), ${severity}`,
      `Opened: ${timeOf(opened_at)}`,
      ...(resolved_at === null ? [] : [`Resolved: ${timeOf(resolved_at)}`]),
      ...(consoleUrl === undefined ? [] : [`${consoleUrl}/console/alerts`]),
    ],
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}
