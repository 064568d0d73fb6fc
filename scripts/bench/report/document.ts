// The page that keeps a run: docs/benchmarks.md. What stands between the soak markers comes from another command and is
// taken over as it is.
import type { Options } from '../options.ts';
import { stepWords } from '../relays/ladder/steps.ts';
import { judgedRelay } from '../relays/list.ts';
import { rowNames } from '../row-names.ts';
import type { Facts } from './facts.ts';
import type { Figures } from './figures.ts';
import { judgeAll, mark, showLimit, tellMisses, type Verdict } from './judge.ts';
import { listLines } from './table.ts';

const provenRounds = 5;
const noSoak = '<!-- soak -->\n<!-- /soak -->';

export interface Report {
  facts: Facts;
  figures: Figures;
  /** Names of the relays that took part. */
  relays: readonly string[];
  options: Options;
  /** Figures of other gateways that could not be taken. */
  gaps: readonly string[];
  notes: readonly string[];
  /** What became of the requests, in one sentence. */
  outcome: string;
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function writeRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [writeRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(writeRow)].join('\n');
}

function writeList(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${sentence.replaceAll('\n', ' ')}`).join('\n');
}

function writeVerdict({ work, bar, goal, unit, digits, measured }: Verdict): string[] {
  const judged = [mark(measured, bar), mark(measured, goal)];
  const spread = measured === undefined ? '' : ` (${measured.least.toFixed(digits)}..${measured.most.toFixed(digits)})`;
  const shown = measured === undefined ? '-' : `${measured.median.toFixed(digits)}${spread}`;
  return [work, showLimit(bar, unit), showLimit(goal, unit), shown, ...judged];
}

function writeFacts({ facts, relays, options, outcome }: Report): string {
  const left = rowNames.filter((name) => !options.rows.includes(name));
  return writeRows(
    ['', ''],
    [
      ['Date', facts.date],
      ['Code', facts.code],
      ['Machine', facts.machine],
      ['Load average before', facts.loadAverage],
      ['Node', facts.node],
      ['Relays', facts.relays.join(', ')],
      ['Run', facts.run],
      ['Stolen time', facts.stolen],
      ['Requests', outcome],
      ...(left.length > 0 ? [['Rows left out', left.join(', ')]] : []),
      ...(relays.includes(judgedRelay) ? [] : [['Not measured', judgedRelay]]),
    ],
  );
}

/** What a reader must know before believing any of it. */
export function writeDoubts({ options, facts }: Pick<Report, 'options' | 'facts'>): string[] {
  const doubts: string[] = [];
  if (options.rounds < provenRounds) doubts.push(`Fewer than ${provenRounds} rounds: these figures prove nothing.`);
  if (Number(facts.loadAverage) > 1) doubts.push('The machine had other work: see the load average.');
  const { openStreams, idleConnections, slowReaders } = options;
  if (openStreams < 1000 || idleConnections < 10_000 || slowReaders < 1000) {
    doubts.push(
      `The crowds were smaller than the budget's: ${openStreams} open streams, ${idleConnections} idle connections, ` +
        `${slowReaders} slow readers.`,
    );
  }
  return doubts;
}

export function writeDocument(report: Report, before: string | undefined): string {
  const { figures, relays, options, notes } = report;
  const verdicts = judgeAll(figures, options.rows);
  const misses = [...writeDoubts(report), ...tellMisses(verdicts), ...report.gaps];
  const soak = /<!-- soak -->[\s\S]*<!-- \/soak -->/.exec(before ?? '')?.[0] ?? noSoak;
  const rows = listLines(figures, relays, options).map(({ heading, lines }) => {
    const cells = lines.map((line) => line.slice(0, relays.length + 1));
    return `### ${heading}\n\n${writeRows(['', ...relays], cells)}`;
  });
  return `# Benchmarks

Written by \`npm run bench\`: all relays side by side in one interleaved run on one machine, over loopback and
without TLS, against an upstream that answers with canned bytes. Tollgate is one process on SQLite. Each figure is the median of all rounds, ± half of the way
from the least round to the most. What counts is the cost as a multiple of nginx in the same run: machines differ, and
differences under 30 % are not proven on a shared one. A MB has 1,048,576 bytes. What was seen and tried while measuring
is in the [lab notes](lab/README.md).

${writeFacts(report)}

## The budget

${writeRows(
  ['Work', 'First bar', 'Goal', `${judgedRelay} (least..most)`, 'Bar', 'Goal met'],
  verdicts.map(writeVerdict),
)}

## What is missing

${misses.length === 0 ? 'Nothing: every bar and every goal is met.' : writeList(misses)}

## The ladder

${writeRows(['Column', 'What it does'], [...Object.entries(stepWords), [judgedRelay, 'everything on, as an operator starts it']])}

The steps are built from the gateway's own files with parts taken out from outside (\`scripts/bench/relays/ladder\`).

## All figures

${rows.join('\n\n')}

## Notes of the run

${notes.length === 0 ? 'None.' : writeList(notes)}

${soak}
`;
}
