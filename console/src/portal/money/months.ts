// Months of UTC as statements name them: 2026-11.
import { languageTag } from '../../i18n/language.ts';

const MOST = 12;

/** The running month and those before it, newest first. */
export function lastMonths(now: number): string[] {
  const date = new Date(now * 1000);
  return Array.from({ length: MOST }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

export function monthName(month: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(languageTag, options);
}
