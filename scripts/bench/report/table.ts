// The one readable table of a run: a column per relay with the median and how far the rounds lay apart, then the budget and
// what became of it. A figure that was not measured is shown as a dash, never as zero.
import type { Options } from '../options.ts';
import { judgedRelay } from '../relays/list.ts';
import { type Figures, spreadOf } from './figures.ts';
import { headingOf } from './headings.ts';
import { mark, showLimit } from './judge.ts';
import { type Measure, measures } from './measures.ts';

const columnGap = 2;

/** The median, and half of the way from the least to the most in percent of it. */
export function showFigure(values: readonly number[], digits: number): string {
  const spread = spreadOf(values);
  if (spread === undefined) return '-';
  const median = spread.median.toFixed(digits);
  const half = (50 * (spread.most - spread.least)) / Math.abs(spread.median);
  return values.length === 1 || !Number.isFinite(half) || half < 0.5 ? median : `${median} ±${half.toFixed(0)}%`;
}

function judge(measure: Measure, values: readonly number[], which: 'bar' | 'goal'): string {
  const { budget } = measure;
  if (budget === undefined || budget[which] === undefined) return '';
  return `${showLimit(budget[which], budget.unit)}  ${mark(spreadOf(values), budget[which])}`;
}

export interface RowLines {
  heading: string;
  /** Label, one cell for each relay, bar and goal. */
  lines: string[][];
}

/** The cells of all rows of a run; lines that nobody has a figure for are left out. */
export function listLines(figures: Figures, relays: readonly string[], options: Options): RowLines[] {
  return options.rows.map((row) => {
    const lines = measures
      .filter((measure) => measure.row === row)
      .filter(({ values, budget }) => budget !== undefined || relays.some((relay) => values(figures, relay).length > 0))
      .map((measure) => [
        measure.label,
        ...relays.map((relay) => showFigure(measure.values(figures, relay), measure.digits)),
        judge(measure, measure.values(figures, measure.judged ?? judgedRelay), 'bar'),
        judge(measure, measure.values(figures, measure.judged ?? judgedRelay), 'goal'),
      ]);
    return { heading: headingOf(row, options), lines };
  });
}

function layOut(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const line of lines) {
    if (line.length === 1) continue;
    line.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  const pad = (cell: string, column: number): string => cell.padEnd((widths[column] ?? 0) + columnGap);
  return lines.map((line) => (line.length === 1 ? `\n${line[0]}` : line.map(pad).join('').trimEnd())).join('\n');
}

export function writeTable(figures: Figures, relays: readonly string[], options: Options): string {
  const rows = listLines(figures, relays, options);
  const lines = rows.flatMap(({ heading, lines }) => [
    [heading],
    ...lines.map(([label, ...cells]) => [`  ${label}`, ...cells]),
  ]);
  return layOut([['', ...relays, 'first bar', 'goal'], ...lines]);
}
