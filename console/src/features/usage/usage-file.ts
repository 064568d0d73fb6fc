// The rows of the usage page as a file: the same range, zone, filters and names, amounts with every digit.
import type { UsageKey, UsageRow } from '#contract/usage.ts';
import type { ZoneClock } from '#contract/values/time-zones.ts';
import { csvOf } from '../../lib/csv.ts';

interface FileInput {
  rows: readonly UsageRow[];
  by: UsageKey;
  clock: ZoneClock;
  currency: string;
  nameOf(row: UsageRow): string;
  /** End of the hour, day or range that begins then. */
  endOf(start: number): number;
}

export function usageFile({ rows, by, clock, currency, nameOf, endOf }: FileInput): string {
  const head = [
    'from',
    'to',
    'zone',
    by,
    ...(hasName(by) ? [`${by}_id`] : []),
    'requests',
    'failed',
    'input_tokens',
    'output_tokens',
    'images',
    'seconds',
    'amount',
    'currency',
  ];
  const lines = rows.map((row) => [
    timeIn(clock, row.bucket),
    timeIn(clock, endOf(row.bucket)),
    clock.zone,
    nameOf(row),
    ...(hasName(by) ? [row[by] ?? ''] : []),
    row.requests,
    row.errors,
    row.input_tokens,
    row.output_tokens,
    row.images,
    row.seconds,
    row.amount,
    currency,
  ]);
  return csvOf([head, ...lines]);
}

function hasName(by: UsageKey): boolean {
  return by === 'account' || by === 'token' || by === 'channel';
}

/** ISO 8601 with the zone's own offset. */
function timeIn(clock: ZoneClock, at: number): string {
  const offset = clock.offsetAt(at);
  const local = new Date((at + offset) * 1000).toISOString().slice(0, 19);
  const minutes = Math.abs(offset) / 60;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
