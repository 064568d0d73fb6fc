// How often a budget, a quota or a cap starts again, in words.
import { t } from '../i18n/t.ts';

const every: Record<string, string> = {
  day: t('Every day'),
  week: t('Every week'),
  month: t('Every month'),
};

const resets: Record<string, string> = {
  day: t('resets every day'),
  week: t('resets every week'),
  month: t('resets every month'),
};

export function everyPeriod(period: string): string {
  return every[period] ?? period;
}

export function resetsEvery(period: string): string {
  return resets[period] ?? period;
}
