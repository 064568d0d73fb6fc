// The page that keeps a run: docs/benchmarks.md. What stands between the soak markers comes from another command and is
// taken over as it is.
import type { Options } from '../options.ts';
import { judgedRelay } from '../relays/list.ts';
import { rowNames } from '../row-names.ts';
import type { Facts } from './facts.ts';
import type { Figures } from './figures.ts';
import { judgeAll, markWithDistance, showLimit, tellMisses, type Verdict } from './judge.ts';
import { type Described, listSideBySide, sideBySideHead } from './side-by-side.ts';
import { listLines } from './table.ts';

/** The budget asks for the median of so many. */
const askedRounds = 5;
/** Of fewer there is no median, only a middle. */
const leastRounds = 3;
const noSoak = '<!-- soak -->\n<!-- /soak -->';
const soakNames = ['soak', 'fleet soak'];

export interface Report {
  facts: Facts;
  figures: Figures;
  /** Those that took part. */
  relays: readonly Described[];
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
  const judged = [markWithDistance(measured, bar), markWithDistance(measured, goal)];
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
      ...(relays.some(({ name }) => name === judgedRelay) ? [] : [['Not measured', judgedRelay]]),
    ],
  );
}

/** What a reader must know before believing any of it. */
export function writeDoubts({ options, facts }: Pick<Report, 'options' | 'facts'>): string[] {
  const doubts: string[] = [];
  const { rounds } = options;
  if (rounds < leastRounds) doubts.push(`Fewer than ${leastRounds} rounds: these figures prove nothing.`);
  else if (rounds < askedRounds)
    doubts.push(`${rounds} rounds; the budget asks for the median of ${askedRounds}: least and most say little.`);
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

/** What the table side by side does not say by itself. */
const readingNotes: readonly string[] = [
  'Processor time is that of all processes of a relay, its database and cache among them, from the first request of a phase until ' +
    '0.3 s after its last answer. What a relay writes later than that is not counted for that phase, but what it had postponed ' +
    'from the load before the phase is.',
  'Where the relay core is not busy to 100 %, as with nginx, load generator and upstream on their one core set the rate. Such a ' +
    'relay finds fewer requests waiting at a time, which makes each cost more: beside a busy nginx the multiples would probably be larger.',
  'Memory is resident memory, summed over the processes of a relay: pages that several share, as the processes of PostgreSQL do, ' +
    'count in each of them.',
  'Gateways do different work: the second column says what. Each is set up in `scripts/bench/relays/peers`: limits ' +
    'that would refuse the load are off, batches and caches that it has are on.',
  '`bare`, `+auth` and `+money` are built from the files of Tollgate with parts taken out from outside (`scripts/bench/relays/ladder`).',
  'How gateways that you have take part: `npm run bench -- --help`, under `--peer` and `--address`.',
];

export function writeDocument(report: Report, before: string | undefined): string {
  const { figures, options, notes } = report;
  const relays = report.relays.map(({ name }) => name);
  const verdicts = judgeAll(figures, options.rows);
  const misses = [...writeDoubts(report), ...tellMisses(verdicts), ...report.gaps];
  const soaks = soakNames.flatMap(
    (name) => new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`).exec(before ?? '')?.[0] ?? [],
  );
  const soak = soaks.length === 0 ? noSoak : soaks.join('\n\n');
  const rows = listLines(figures, relays, options).map(({ heading, lines }) => {
    const cells = lines.map((line) => line.slice(0, relays.length + 1));
    return `### ${heading}\n\n${writeRows(['', ...relays], cells)}`;
  });
  return `# Benchmarks

Written by \`npm run bench\`: all relays side by side in one interleaved run on one machine, over loopback and
without TLS, against an upstream that answers with canned bytes at once. Tollgate is one process on SQLite, Tollgate-PG the same on
PostgreSQL with fsync on. Each figure is the median of all rounds, ± half of the way
from the least round to the most; memory, idle connections, slow readers and tasks are measured once, so nothing is known of their spread.
What counts is the cost as a multiple of nginx in the same run: machines differ, and
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

## Side by side

${writeRows(sideBySideHead, listSideBySide(figures, report.relays))}

What to know before comparing:

${writeList(readingNotes)}

## All figures

A dash is a figure that was not taken; it says nothing of what a relay can do. The steps of the ladder are measured in the rows where
parts of a gateway can show. Other gateways are not asked for 10,000 idle connections, slow readers and video tasks, nor for the
paced row when they are slower than its rate. nginx translates nothing; a gateway is asked for those translations that its
file in \`scripts/bench/relays/peers\` names.

${rows.join('\n\n')}

## Notes of the run

${notes.length === 0 ? 'None.' : writeList(notes)}

${soak}
`;
}
