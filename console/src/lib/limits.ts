// Rate policies, quotas and budgets as people type and read them.
import type { Rate } from '#contract/values/rate.ts';
import { formatCount } from './format-money.ts';

export type Period = 'day' | 'week' | 'month';

export interface RateDraft {
  rpm: number | string;
  tpm: number | string;
  concurrency: number | string;
}

export const noRate: RateDraft = { rpm: '', tpm: '', concurrency: '' };

export function rateDraftOf({ rpm, tpm, concurrency }: Rate): RateDraft {
  return { rpm: rpm ?? '', tpm: tpm ?? '', concurrency: concurrency ?? '' };
}

export function rateOf({ rpm, tpm, concurrency }: RateDraft): Rate {
  return { rpm: limitOf(rpm), tpm: limitOf(tpm), concurrency: limitOf(concurrency) };
}

export function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}

/** null = none. */
export function amountOf(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

export function rateWords({ rpm, tpm, concurrency }: Rate): string {
  const limits: [number | null, string][] = [
    [rpm, 'requests a minute'],
    [tpm, 'tokens a minute'],
    [concurrency, 'at the same time'],
  ];
  const words = limits.flatMap(([limit, unit]) => (limit === null ? [] : [`${formatCount(limit)} ${unit}`]));
  return words.length === 0 ? 'No limit' : words.join(', ');
}
