// The one readable table of a run: a column per relay with median and spread, then the budget and what became of it.
// A figure that was not measured is shown as a dash, never as zero.
import type { RowName } from '../options.ts';
import { judgedRelay } from '../relays/list.ts';
import { type Figures, spreadOf } from './figures.ts';
import { headings, type Measure, measures } from './measures.ts';

const columnGap = 2;

function showFigure(values: readonly number[], digits: number): string {
  const spread = spreadOf(values);
  if (spread === undefined) return '-';
  const median = spread.median.toFixed(digits);
  if (values.length === 1) return median;
  return `${median} (${spread.least.toFixed(digits)}..${spread.most.toFixed(digits)})`;
}

function judge(measure: Measure, values: readonly number[], which: 'bar' | 'goal'): string {
  if (measure.budget === undefined) return '';
  const limit = measure.budget[which];
  const median = spreadOf(values)?.median;
  const mark = median === undefined ? '?' : median <= limit ? 'pass' : 'MISS';
  return `<= ${limit} ${measure.budget.unit}  ${mark}`;
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

export function writeTable(figures: Figures, relays: readonly string[], rows: readonly RowName[]): string {
  const lines: string[][] = [['', ...relays, 'first bar', 'goal']];
  for (const row of rows) {
    lines.push([headings[row]]);
    for (const measure of measures.filter((one) => one.row === row)) {
      const judged = measure.values(figures, judgedRelay);
      const cells = relays.map((relay) => showFigure(measure.values(figures, relay), measure.digits));
      lines.push([`  ${measure.label}`, ...cells, judge(measure, judged, 'bar'), judge(measure, judged, 'goal')]);
    }
  }
  return layOut(lines);
}
