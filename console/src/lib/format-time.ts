// Times for people: Unix seconds in the reader's own zone, and lengths of time.
import { languageTag } from '../i18n/language.ts';
import { t } from '../i18n/t.ts';

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const thisYear = new Intl.DateTimeFormat(languageTag, { month: 'short', day: 'numeric', ...clock });
const anyYear = new Intl.DateTimeFormat(languageTag, { year: 'numeric', month: 'short', day: 'numeric', ...clock });
const withZone = new Intl.DateTimeFormat(languageTag, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...clock,
  timeZoneName: 'shortOffset',
});
const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' });
const relative = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(date);
}

/** With the reader's time zone. */
export function formatExactTime(seconds: number): string {
  return withZone.format(new Date(seconds * 1000));
}

/** Its name and its distance from UTC now: Asia/Shanghai (GMT+8). */
export function timeZone(): string {
  const { timeZone: name } = withZone.resolvedOptions();
  return `${name} (${zoneShort()})`;
}

/** GMT+8 */
export function zoneShort(): string {
  return offset.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
}

export function formatAgo(seconds: number, now = Date.now() / 1000): string {
  const distance = seconds - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1];
  return unit === 'second' ? t('just now') : relative.format(Math.round(distance / length), unit);
}

export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${(milliseconds / 60_000).toFixed(1)} min`;
}

/** For an input of type date, and back: days of UTC. */
export function toDay(seconds: number | null): string {
  return seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 10);
}

export function fromDay(text: string): number | null {
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}

/** For an input of type datetime-local, and back. */
export function toLocalInput(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function fromLocalInput(text: string): number | null {
  const milliseconds = new Date(text).getTime();
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
