// Days and hours of a time zone as ranges of Unix seconds. Both the gateway, which adds usage up by them, and the console, which
// draws them, use this: no bar is a minute off.
import { z } from 'zod';

/** From then on, clocks are so many seconds ahead of UTC. */
interface Span {
  from: number;
  offset: number;
}

const WEEK = 7 * 86_400;
/** Every zone changes its clocks at a whole quarter of an hour. */
const QUARTER = 900;
const HOUR = 3600;
const DAY = 86_400;

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

export const timeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(isZone, 'must be a time zone such as Europe/Berlin, or an offset in quarters of an hour such as +05:30')
  .meta({ description: 'IANA name, or offset such as +05:30. Default: UTC' });

export function isZone(name: string): boolean {
  try {
    return isWhole(name) && formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Usage is summed by quarters of an hour: of another offset, the sums of a day would not be exact. */
function isWhole(name: string): boolean {
  return !/^[+-]/.test(name) || Number(name.slice(-2)) % 15 === 0;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(zone, made);
  return made;
}

/** Seconds that its clocks are ahead of UTC. */
function offsetAt(zone: string, at: number): number {
  const parts = formatOf(zone).formatToParts(at * 1000);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) / 1000;
  return local - Math.floor(at);
}

/** The clocks of a zone between two moments, and a day around them. */
export class ZoneClock {
  readonly zone: string;
  readonly spans: readonly Span[];

  constructor(zone: string, { from, to }: { from: number; to: number }) {
    this.zone = zone;
    const spans: Span[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(zone, from - 2 * DAY) }];
    const end = to + 2 * DAY;
    for (let low = Math.floor((from - 2 * DAY) / QUARTER) * QUARTER; low < end; low += WEEK) {
      let before = low;
      let offset = offsetAt(zone, before);
      const last = low + WEEK;
      while (offset !== offsetAt(zone, last)) {
        let [same, other] = [before, last];
        while (other - same > QUARTER) {
          const middle = Math.floor((same + other) / 2 / QUARTER) * QUARTER;
          if (offsetAt(zone, middle) === offset) same = middle;
          else other = middle;
        }
        offset = offsetAt(zone, other);
        before = other;
        spans.push({ from: other, offset });
      }
    }
    this.spans = spans;
  }

  offsetAt(at: number): number {
    return this.spans.findLast((span) => span.from <= at)?.offset ?? 0;
  }

  /** Start of the day in which a moment lies. */
  dayOf(at: number): number {
    const local = at + this.offsetAt(at);
    return this.utcOf(Math.floor(local / DAY) * DAY);
  }

  /** The first moment at which clocks show this, or where it is skipped, the first after it. */
  utcOf(local: number): number {
    for (const [index, span] of this.spans.entries()) {
      const at = local - span.offset;
      const end = this.spans[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      if (at < end) return Math.max(at, span.from);
    }
    return local;
  }

  /** Start of the day so many days after the one in which a moment lies. */
  addDays(at: number, days: number): number {
    const local = at + this.offsetAt(at);
    return this.utcOf((Math.floor(local / DAY) + days) * DAY);
  }

  /** Start of the hour in which a moment lies. */
  hourOf(at: number): number {
    const offset = this.offsetAt(at);
    return Math.floor((at + offset) / HOUR) * HOUR - offset;
  }

  /** Starts of all hours or days from one moment to another, which is not inside. */
  starts(bucket: 'hour' | 'day', { from, to }: { from: number; to: number }): number[] {
    const starts: number[] = [];
    const first = bucket === 'day' ? this.dayOf(from) : this.hourOf(from);
    for (let at = first; at < to;) {
      starts.push(at);
      at = this.next(bucket, at);
    }
    return starts;
  }

  /** Start of the hour or day after the one that begins then. */
  next(bucket: 'hour' | 'day', start: number): number {
    return bucket === 'day' ? this.addDays(start, 1) : this.hourOf(start + HOUR);
  }
}
