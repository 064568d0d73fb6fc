// Rate policies, quotas and budgets as people type and read them.
import type { Rate } from '#contract/values/rate.ts';
import { formatCount } from './format-money.ts';
import { t } from '../i18n/t.ts';

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
  const words = [
    ...(rpm === null ? [] : [t('{count} requests a minute', { count: formatCount(rpm) })]),
    ...(tpm === null ? [] : [t('{count} tokens a minute', { count: formatCount(tpm) })]),
    ...(concurrency === null ? [] : [t('{count} at the same time', { count: formatCount(concurrency) })]),
  ];
  return words.length === 0 ? t('No limit') : words.join(', ');
}
