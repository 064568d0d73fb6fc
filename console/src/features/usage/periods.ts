// The spans of time that the usage page shows: whole days of a time zone, by hour where they are few, and the span before.
import { ZoneClock } from '#contract/values/time-zones.ts';

export const presets = ['today', 'yesterday', '7d', '30d', '90d', 'month', 'last-month', 'custom'] as const;
export type Preset = (typeof presets)[number];

export interface Period {
  /** `from` is inside, `to` is not. */
  from: number;
  to: number;
  bucket: 'hour' | 'day';
  /** Of every hour or day. */
  starts: number[];
  /** As much of the span before as has passed of this one. */
  before: { from: number; to: number };
  clock: ZoneClock;
}

export interface PeriodChoice {
  preset: Preset;
  /** Days as YYYY-MM-DD, both inside; of the custom one. */
  first?: string | undefined;
  last?: string | undefined;
}

const DAY = 86_400;
/** So many days are shown by hour. */
const MOST_HOURLY_DAYS = 2;
const MOST_DAYS = 366;

export function periodOf({ preset, first, last }: PeriodChoice, zone: string, now: number): Period {
  const typed = preset === 'custom' ? [dayText(first), dayText(last)] : [];
  const known = typed.filter((day) => day !== undefined);
  const clock = new ZoneClock(zone, { from: Math.min(now - 500 * DAY, ...known) - 500 * DAY, to: now + 40 * DAY });
  const today = clock.dayOf(now);
  const tomorrow = clock.addDays(today, 1);
  const back = (days: number) => ({ from: clock.addDays(today, 1 - days), to: tomorrow });
  switch (preset) {
    case 'today':
      return makePeriod(clock, { from: today, to: tomorrow }, now);
    case 'yesterday':
      return makePeriod(clock, { from: clock.addDays(today, -1), to: today }, now);
    case '7d':
      return makePeriod(clock, back(7), now);
    case '90d':
      return makePeriod(clock, back(90), now);
    case 'month':
      return makePeriod(clock, { from: monthStart(clock, now), to: tomorrow }, now, monthStart(clock, now, -1));
    case 'last-month': {
      const range = { from: monthStart(clock, now, -1), to: monthStart(clock, now) };
      return makePeriod(clock, range, now, monthStart(clock, now, -2));
    }
    case 'custom':
      return customPeriod(clock, typed, now) ?? makePeriod(clock, back(30), now);
    default:
      return makePeriod(clock, back(30), now);
  }
}

function customPeriod(clock: ZoneClock, [first, last]: (number | undefined)[], now: number): Period | undefined {
  if (first === undefined || last === undefined || last < first) return undefined;
  const days = Math.min(MOST_DAYS, (last - first) / DAY + 1);
  const from = clock.utcOf(first);
  return makePeriod(clock, { from, to: clock.addDays(from, days) }, now);
}

function makePeriod(clock: ZoneClock, range: { from: number; to: number }, now: number, earlier?: number): Period {
  const { from, to } = range;
  const days = Math.round((to - from) / DAY);
  const bucket = days <= MOST_HOURLY_DAYS ? 'hour' : 'day';
  const start = earlier ?? clock.addDays(from, -days);
  const passed = Math.max(0, Math.min(now, to) - from);
  const before = { from: start, to: Math.max(start + 1, Math.min(start + passed, from)) };
  return { from, to, bucket, starts: clock.starts(bucket, { from, to }), before, clock };
}

/** Start of the month in which a moment lies, or of one that many later. */
function monthStart(clock: ZoneClock, at: number, later = 0): number {
  const local = new Date((at + clock.offsetAt(at)) * 1000);
  return clock.utcOf(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + later, 1) / 1000);
}

/** What clocks show at the start of the day that is written so. */
function dayText(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const seconds = Date.parse(`${text}T00:00:00Z`) / 1000;
  return Number.isNaN(seconds) || seconds < 0 ? undefined : seconds;
}

/** The day in which a moment lies, as an input of type date wants it. */
export function dayOf(clock: ZoneClock, at: number): string {
  return new Date((at + clock.offsetAt(at)) * 1000).toISOString().slice(0, 10);
}
