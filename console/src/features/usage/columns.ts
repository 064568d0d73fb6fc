// What the bars show: of each hour or day the sum, its parts by name, and whether it is over. Amounts are whole billionths, so that
// parts and rest add up exactly.
import type { Outage, UsageKey, UsageRank, UsageRow } from '#contract/usage.ts';
import { NANO, parseNano } from '../../lib/decimal.ts';
import type { Period } from './periods.ts';

/** What is drawn, and what the table is sorted by: always the same. */
export type Measure = UsageRank;
export const measures: readonly Measure[] = ['amount', 'requests', 'errors', 'tokens'];

export interface Part {
  /** undefined: all others. */
  key: string | undefined;
  value: bigint;
}

export interface Column {
  start: number;
  end: number;
  value: bigint;
  parts: Part[];
  requests: number;
  errors: number;
  state: 'over' | 'running' | 'ahead';
  /** Seconds in which the gateway was away. */
  away: number;
}

export function valueOf(row: UsageRow | undefined, measure: Measure): bigint {
  if (row === undefined) return 0n;
  if (measure === 'amount') return nanoOf(row.amount);
  if (measure === 'tokens') return BigInt(Math.round(row.input_tokens + row.output_tokens));
  return BigInt(row[measure]);
}

function nanoOf(amount: string): bigint {
  const negative = amount.startsWith('-');
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const nano = parseNano(amount) ?? BigInt(whole) * NANO + BigInt(decimals.padEnd(9, '0'));
  return negative ? -nano : nano;
}

export interface ColumnsInput {
  period: Period;
  measure: Measure;
  by: UsageKey;
  /** Of each hour or day. */
  totals: readonly UsageRow[];
  /** The same by name, of some names. */
  rows: readonly UsageRow[];
  /** These names, in the order of the parts. */
  keys: readonly string[];
  outages: readonly Outage[];
  now: number;
}

export function columnsOf({ period, measure, by, totals, rows, keys, outages, now }: ColumnsInput): Column[] {
  const totalAt = new Map(totals.map((row) => [row.bucket, row]));
  const rowsAt = Map.groupBy(rows, (row) => row.bucket);
  return period.starts.map((start, index): Column => {
    const end = period.starts[index + 1] ?? period.to;
    const total = totalAt.get(start);
    const value = valueOf(total, measure);
    const own = new Map((rowsAt.get(start) ?? []).map((row) => [row[by] ?? '', valueOf(row, measure)]));
    const named = keys.map((key): Part => ({ key, value: own.get(key) ?? 0n }));
    const rest = named.reduce((left, part) => left - part.value, value);
    const parts = rest > 0n ? [...named, { key: undefined, value: rest }] : named;
    return {
      start,
      end,
      value,
      parts: parts.filter((part) => part.value > 0n),
      requests: total?.requests ?? 0,
      errors: total?.errors ?? 0,
      state: start > now ? 'ahead' : end > now ? 'running' : 'over',
      away: awayIn(outages, start, end),
    };
  });
}

function awayIn(outages: readonly Outage[], start: number, end: number): number {
  return outages.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);
}

/** Lines of the scale: 0 and up to four round values, the last at or above the largest. */
export function scaleOf(largest: bigint, measure: Measure): number[] {
  const top = Number(largest) / (measure === 'amount' ? Number(NANO) : 1);
  if (top === 0) return [0, 1];
  const raw = top / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  let step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  if (measure !== 'amount') step = Math.max(1, Math.ceil(step)); // nothing is counted in halves
  const lines = [0];
  for (let count = 1; (lines.at(-1) ?? 0) < top; count++) lines.push(Number((count * step).toPrecision(12)));
  return lines;
}

/** For drawing only. */
export function sizeOf(value: bigint, measure: Measure): number {
  return Number(value) / (measure === 'amount' ? Number(NANO) : 1);
}

/** Change in percent; undefined where there was nothing before. */
export function changeOf(now: bigint, before: bigint): number | undefined {
  return before === 0n ? undefined : (Number(now - before) / Number(before)) * 100;
}
