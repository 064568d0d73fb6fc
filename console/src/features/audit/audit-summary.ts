// A change in words: what each field was and became, such as "quota 5 → 10".
import type { AuditEntry } from '#contract/audit.ts';
import { t } from '../../i18n/t.ts';
import { fieldLabel } from '../../lib/field-label.ts';
import { inWords } from '../../lib/form-conflict.ts';

/** What a create or an event names, in the order of their weight. */
const TELLING = ['name', 'amount', 'note', 'role', 'count', 'hint', 'reason', 'grace_seconds', 'provider', 'url'];
const MOST = 4;
const LONGEST = 60;

export function auditSummary({ detail }: Pick<AuditEntry, 'detail'>): string {
  const changes = Object.entries(detail).filter((entry): entry is [string, Step] => isStep(entry[1]));
  if (changes.length > 0) {
    const words = changes.map(([field, { from, to }]) => `${fieldLabel(field)} ${changeWords(from, to)}`);
    return atMost(words, '; ');
  }
  const named = TELLING.filter((field) => detail[field] !== undefined && detail[field] !== null);
  if (named.length > 0)
    return atMost(
      named.map((field) => `${fieldLabel(field)} ${short(inWords(detail[field]))}`),
      ', ',
    );
  const { models } = detail;
  return Array.isArray(models) ? atMost(models.map(String), ', ') : '';
}

interface Step {
  from: unknown;
  to: unknown;
}

function isStep(value: unknown): value is Step {
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === 'from' || name === 'to');
}

/** Of a group of settings only those that changed. */
function changeWords(from: unknown, to: unknown): string {
  if (isRecord(from) && isRecord(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    const changed = names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
    return changed.map((name) => `${fieldLabel(name)} ${changeWords(from[name], to[name])}`).join(', ');
  }
  return `${short(inWords(from))} → ${short(inWords(to))}`;
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function atMost(words: string[], divider: string): string {
  const shown = words.slice(0, MOST).join(divider);
  return words.length > MOST ? t('{words} and {more} more', { words: shown, more: words.length - MOST }) : shown;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
