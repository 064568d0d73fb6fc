// The spans of time the overview can show.
import { languageTag } from '../../i18n/language.ts';
import { t } from '../../i18n/t.ts';

export interface Range {
  id: string;
  label: string;
  seconds: number;
  bucket: 'hour' | 'day';
}

const DAY = 86_400;

export const ranges: Range[] = [
  { id: '24h', label: t('24 hours'), seconds: DAY, bucket: 'hour' },
  { id: '7d', label: t('7 days'), seconds: 7 * DAY, bucket: 'hour' },
  { id: '30d', label: t('30 days'), seconds: 30 * DAY, bucket: 'day' },
  { id: '90d', label: t('90 days'), seconds: 90 * DAY, bucket: 'day' },
];

export function rangeOf(id: string | undefined): Range {
  return ranges.find((range) => range.id === id) ?? (ranges[0] as Range);
}

/** Starts of all buckets up to now, so that quiet hours show as such. */
export function bucketsOf({ seconds, bucket }: Range, now: number): number[] {
  const length = bucket === 'hour' ? 3600 : DAY;
  const last = Math.floor(now / length) * length;
  const count = Math.round(seconds / length);
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * length);
}

export function bucketLabel({ id, bucket }: Range, at: number): string {
  const date = new Date(at * 1000);
  if (bucket === 'day')
    return date.toLocaleDateString(languageTag, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const time = date.toLocaleTimeString(languageTag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return id === '24h' ? time : `${date.toLocaleDateString(languageTag, { month: 'short', day: 'numeric' })} ${time}`;
}
