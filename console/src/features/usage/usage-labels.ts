// Times and figures of the usage page in words, in its time zone and currency.
import { languageTag } from '../../i18n/language.ts';
import { plural, t } from '../../i18n/t.ts';
import { NANO } from '../../lib/decimal.ts';
import { formatAmount, formatCount, formatMoney } from '../../lib/format-money.ts';
import { inZone } from '../../lib/zone.ts';
import type { Column, Measure } from './columns.ts';
import type { Period } from './periods.ts';

export interface UsageLabels {
  /** Below a bar. */
  short(start: number): string;
  /** From when to when. */
  span(column: Pick<Column, 'start' | 'end'>): string;
  value(value: bigint, measure: Measure): string;
  /** The same with every digit. */
  exact(value: bigint, measure: Measure): string;
  /** Beside a line of the scale. */
  scale(line: number): string;
  length(seconds: number): string;
  failed(column: Pick<Column, 'requests' | 'errors'>): string;
  /** All of a bar, for those who hear it. */
  sentence(column: Column): string;
  moment(at: number): string;
}

export function shareOfErrors({ requests, errors }: { requests: number; errors: number }): number {
  return requests === 0 ? 0 : errors / requests;
}

export function percentOf(share: number): string {
  const percent = share * 100;
  return `${percent.toLocaleString(languageTag, { maximumFractionDigits: percent > 0 && percent < 10 ? 1 : 0 })}%`;
}

export function usageLabels(
  { bucket, clock: { zone } }: Period,
  { measure, currency }: { measure: Measure; currency: string },
): UsageLabels {
  const day = inZone(zone, { month: 'short', day: 'numeric' }, languageTag);
  const wholeDay = inZone(zone, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' }, languageTag);
  const time = inZone(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, languageTag);
  const span: UsageLabels['span'] = ({ start, end }) =>
    bucket === 'day' ? wholeDay(start) : `${wholeDay(start)}, ${time(start)}\u2013${time(end)}`;
  const value: UsageLabels['value'] = (amount, of) =>
    of === 'amount' ? `${formatAmount(decimalOf(amount))} ${currency}` : formatCount(Number(amount));
  const failed: UsageLabels['failed'] = (column) =>
    t('{errors} of {requests} ({share})', {
      errors: column.errors,
      requests: column.requests,
      share: percentOf(shareOfErrors(column)),
    });
  return {
    short: bucket === 'day' ? day : time,
    span,
    value,
    exact: (amount, of) =>
      of === 'amount' ? `${formatMoney(decimalOf(amount))} ${currency}` : Number(amount).toLocaleString(languageTag),
    scale: (line) => (measure === 'amount' ? formatScale(line) : formatCount(line)),
    length: (seconds) =>
      seconds < 5400
        ? plural(Math.max(1, Math.round(seconds / 60)), '{count} minute', '{count} minutes')
        : plural(Math.round(seconds / 3600), '{count} hour', '{count} hours'),
    failed,
    sentence: (column) =>
      [
        `${span(column)}:`,
        value(column.value, measure),
        ...(column.errors > 0 ? [t('failed {failed}', { failed: failed(column) })] : []),
        ...(column.away > 0 ? [t('the gateway was away')] : []),
        ...(column.state === 'running' ? [t('still running')] : []),
      ].join(' '),
    moment: (at) => `${day(at)} ${time(at)}`,
  };
}

export function decimalOf(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  return `${nano < 0n ? '-' : ''}${size / NANO}.${(size % NANO).toString().padStart(9, '0')}`;
}

function formatScale(line: number): string {
  if (line >= 10_000) return formatCount(line);
  return line.toLocaleString(languageTag, { maximumFractionDigits: line < 1 ? 6 : 2 });
}
