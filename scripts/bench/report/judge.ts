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
  return measures.flatMap(({ row, budget, digits, values, judged = judgedRelay }) =>
    budget === undefined || !rows.includes(row)
      ? []
      : [{ ...budget, digits, measured: spreadOf(values(figures, judged)) }],
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

/** The same for a reader who looks at one line only: a missed limit with its distance. */
export function markWithDistance(measured: Spread | undefined, limit: number | undefined): string {
  const word = mark(measured, limit);
  return word === 'MISS' && measured !== undefined ? `${word}${distance(measured, limit)}` : word;
}

/** How far away it is: what was measured as a multiple of the limit, where that can be said. */
function distance(measured: Spread, limit: number | undefined): string {
  return limit === undefined || limit <= 0 ? '' : `, ${(measured.median / limit).toFixed(2)} times it`;
}

function tellGoal(measured: Spread, goal: number | undefined, unit: string): string {
  return mark(measured, goal) === 'MISS'
    ? `; short of the goal (${showLimit(goal, unit)})${distance(measured, goal)}`
    : '';
}

/** One honest sentence for each bar or goal that was missed or not measured, with its distance. */
export function tellMisses(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((verdict) => {
    const { work, bar, goal, unit, measured, digits } = verdict;
    if (measured === undefined) return [`${work}: not measured in this run.`];
    const shown = `${measured.median.toFixed(digits)} ${unit}`;
    const short = tellGoal(measured, goal, unit);
    if (mark(measured, bar) === 'MISS')
      return [
        `${work}: ${shown}, the first bar (${showLimit(bar, unit)}) is missed${distance(measured, bar)}${short}.`,
      ];
    return short === '' ? [] : [`${work}: ${shown}${short}.`];
  });
}
