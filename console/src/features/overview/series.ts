// Rows of usage as points that charts draw: one per bucket, quiet ones too.
import type { UsageKey, UsageRow } from '#contract/usage.ts';
import { t } from '../../i18n/t.ts';
import { addUp, groupRows } from '../../lib/usage-totals.ts';
import { bucketLabel, bucketsOf, type Range } from './ranges.ts';

export interface Point {
  label: string;
  [series: string]: string | number | null;
}

export interface Spending {
  points: Point[];
  /** Name of the series in the points, and its key. */
  series: { name: string; key: string }[];
}

/** Beyond these, the rest is drawn as one. */
const MOST_SERIES = 5;

export function trafficPoints(rows: UsageRow[], range: Range, now: number): Point[] {
  const byBucket = Map.groupBy(rows, (row) => row.bucket);
  return bucketsOf(range, now).map((bucket) => {
    const total = addUp(byBucket.get(bucket) ?? []);
    return {
      label: bucketLabel(range, bucket),
      succeeded: total.requests - total.errors,
      failed: total.errors,
      input: total.inputTokens,
      output: total.outputTokens,
      firstByte: total.firstByteMs === null ? null : Math.round(total.firstByteMs),
      wholeAnswer: total.totalMs === null ? null : Math.round(total.totalMs),
    };
  });
}

export function spendingPoints(
  rows: UsageRow[],
  { by, range, now }: { by: UsageKey; range: Range; now: number },
): Spending {
  const largest = groupRows(rows, by)
    .slice(0, MOST_SERIES)
    .map(({ key }) => key);
  const byBucket = Map.groupBy(rows, (row) => row.bucket);
  const series = largest.map((key, index) => ({ key, name: `s${index}` }));
  const hasRest = rows.some((row) => !largest.includes(row[by] ?? ''));
  const points = bucketsOf(range, now).map((bucket) => {
    const point: Point = { label: bucketLabel(range, bucket) };
    for (const { name } of series) point[name] = 0;
    if (hasRest) point['rest'] = 0;
    for (const row of byBucket.get(bucket) ?? []) {
      const name = series.find(({ key }) => key === (row[by] ?? ''))?.name ?? 'rest';
      point[name] = Number(point[name] ?? 0) + Number(row.amount);
    }
    return point;
  });
  return { points, series: hasRest ? [...series, { key: t('all others'), name: 'rest' }] : series };
}
