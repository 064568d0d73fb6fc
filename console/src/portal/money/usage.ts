// Usage of the account, added up exactly, by day or by name.
import { languageTag } from '../../i18n/language.ts';
import type { PortalUsageRow } from '#contract/portal.ts';
import { formatNano, parseNano } from '../../lib/decimal.ts';

export const DAY = 86_400;

export interface UsageQuery {
  /** Days of UTC. */
  from: number;
  to: number;
  by?: 'model' | 'token';
}

export interface Total {
  requests: number;
  errors: number;
  tokens: number;
  /** Exact. */
  amount: string;
}

export interface Group {
  key: string;
  total: Total;
}

export function addUp(rows: readonly PortalUsageRow[]): Total {
  let nano = 0n;
  const total = { requests: 0, errors: 0, tokens: 0 };
  for (const row of rows) {
    total.requests += row.requests;
    total.errors += row.errors;
    total.tokens += row.input_tokens + row.output_tokens;
    nano += parseNano(row.amount) ?? 0n;
  }
  return { ...total, amount: formatNano(nano) };
}

/** Under one name each, the largest spender first. */
export function groupRows(rows: readonly PortalUsageRow[], by: 'model' | 'token'): Group[] {
  return [...Map.groupBy(rows, (row) => row[by] ?? '')]
    .map(([key, own]) => ({ key, total: addUp(own) }))
    .sort((a, b) => Number(b.total.amount) - Number(a.total.amount) || b.total.requests - a.total.requests);
}

/** Every day of the range, quiet ones too, newest last. */
export function daysOf(rows: readonly PortalUsageRow[], { from, to }: UsageQuery): { day: number; total: Total }[] {
  const byDay = Map.groupBy(rows, (row) => row.bucket);
  const first = Math.floor(from / DAY);
  const count = Math.max(0, Math.ceil(to / DAY) - first);
  return Array.from({ length: count }, (_, index) => {
    const day = (first + index) * DAY;
    return { day, total: addUp(byDay.get(day) ?? []) };
  });
}

export function dayLabel(day: number): string {
  return new Date(day * 1000).toLocaleDateString(languageTag, { month: 'short', day: 'numeric', timeZone: 'UTC' });
}

/** Start of the month (UTC) that a moment is in. */
export function monthStart(at: number): number {
  const date = new Date(at * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}
