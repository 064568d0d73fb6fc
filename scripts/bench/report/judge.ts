// What became of the budget: each bar and goal beside the median of the judged relay.
import { judgedRelay } from '../relays/list.ts';
import type { RowName } from '../row-names.ts';
import { type Figures, type Spread, spreadOf } from './figures.ts';
import { type Budget, measures } from './measures.ts';

export interface Verdict extends Budget {
  digits: number;
  /** undefined: not measured in this run. */
  measured: Spread | undefined;
}

export function judgeAll(figures: Figures, rows: readonly RowName[]): Verdict[] {
  return measures.flatMap(({ row, budget, digits, values }) =>
    budget === undefined || !rows.includes(row)
      ? []
      : [{ ...budget, digits, measured: spreadOf(values(figures, judgedRelay)) }],
  );
}

/** A limit as people write it: 8, 0.125. */
export function showLimit(limit: number | undefined, unit: string): string {
  return limit === undefined ? '' : `<= ${Number(limit.toFixed(3))} ${unit}`;
}

export function mark(measured: Spread | undefined, limit: number | undefined): '' | '?' | 'pass' | 'MISS' {
  if (limit === undefined) return '';
  if (measured === undefined) return '?';
  return measured.median <= limit ? 'pass' : 'MISS';
}

/** One honest sentence for each bar or goal that was missed or not measured. */
export function tellMisses(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((verdict) => {
    const { work, bar, goal, unit, measured, digits } = verdict;
    if (measured === undefined) return [`${work}: not measured in this run.`];
    const shown = `${measured.median.toFixed(digits)} ${unit}`;
    if (mark(measured, bar) === 'MISS')
      return [`${work}: ${shown}, the first bar (${showLimit(bar, unit)}) is missed.`];
    if (mark(measured, goal) === 'MISS') return [`${work}: ${shown}, short of the goal (${showLimit(goal, unit)}).`];
    return [];
  });
}
