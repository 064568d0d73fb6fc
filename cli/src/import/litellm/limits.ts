// Budgets and rate limits of LiteLLM's teams, users and keys.
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { exact, toNano } from '../exact-decimal.ts';
import { type Row, text } from '../sources/source.ts';

type Period = 'day' | 'week' | 'month';

const PERIODS: Record<string, Period> = {
  '1d': 'day',
  '24h': 'day',
  daily: 'day',
  '7d': 'week',
  '1w': 'week',
  weekly: 'week',
  '30d': 'month',
  '31d': 'month',
  '1mo': 'month',
  monthly: 'month',
};

export interface Budget {
  /** In nano-units; null = no limit. */
  maximum: bigint | null;
  spend: bigint;
  /** null = for the whole life. */
  period: Period | null;
  /** As it is written, where it is none of ours. */
  oddDuration: string | null;
}

/** `shared` is the row of the budget table that it names, for what it does not set itself. */
export function readBudget(row: Row, shared: Row = {}): Budget {
  const written = row['max_budget'] ?? shared['max_budget'];
  const duration = text(row['budget_duration'] ?? shared['budget_duration']);
  const period = PERIODS[duration] ?? null;
  return {
    maximum: written === null || written === undefined ? null : nano(written),
    spend: nano(row['spend'] ?? 0),
    period,
    oddDuration: duration !== '' && period === null ? duration : null,
  };
}

/** What is left of a budget for the whole life, never below zero. */
export function remaining({ maximum, spend }: Budget): bigint {
  const left = (maximum ?? 0n) - spend;
  return left < 0n ? 0n : left;
}

export function readRate(
  row: Row,
  shared: Row = {},
): { rpm: number | null; tpm: number | null; concurrency: number | null } {
  const limit = (name: string): number | null => {
    const value = Number(row[name] ?? shared[name] ?? 0);
    return Number.isInteger(value) && value > 0 && value <= 1_000_000_000 ? value : null;
  };
  return { rpm: limit('rpm_limit'), tpm: limit('tpm_limit'), concurrency: limit('max_parallel_requests') };
}

export function amountText(value: bigint): string {
  return formatAmount(value);
}

function nano(value: unknown): bigint {
  const read = exact(value);
  return read === undefined ? 0n : toNano(read);
}
