// An event in words for people, for chats and mail, in the language of the sink.
import { alertRules, type AlertRuleName } from '#contract/alert-rules.ts';
import { alertTextsInChinese, messageTexts } from '#contract/alert-texts.ts';
import type { Language } from '#contract/values/language.ts';
import { findSentence } from '#contract/values/sentences.ts';
import type { AlertEvent } from '../alert-event.ts';

export interface Message {
  /** One line. */
  subject: string;
  /** What stands below it. */
  lines: string[];
}

export function messageOf(
  { type, data }: AlertEvent,
  { language, consoleUrl }: { language: Language; consoleUrl: string | undefined },
): Message {
  const { rule, severity, title, detail, opened_at, resolved_at } = data;
  const texts = messageTexts[language];
  const say = (text: string): string => (language === 'zh' ? (findSentence(alertTextsInChinese, text) ?? text) : text);
  const ruleTitle = say(alertRules[rule as AlertRuleName].title);
  return {
    subject: fill(texts.subject, { state: texts[type], title: say(title) }),
    lines: [
      ...(detail === '' ? [] : [say(detail)]),
      fill(texts.rule, { title: ruleTitle, rule, severity: texts[severity] }),
      fill(texts.opened, { time: timeOf(opened_at) }),
      ...(resolved_at === null ? [] : [fill(texts.resolved, { time: timeOf(resolved_at) })]),
      ...(consoleUrl === undefined ? [] : [`${consoleUrl}/console/alerts`]),
    ],
  };
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}
