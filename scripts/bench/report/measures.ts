// What the table shows, line by line, and the budget of the hot path beside it. Budgets judge one relay only and
// never decide the exit code: machines are noisy, readers are not.
import type { RowName } from '../options.ts';
import { judgedRelay, yardstick } from '../relays/list.ts';
import type { Figures } from './figures.ts';

export interface Measure {
  row: RowName;
  label: string;
  digits: number;
  values: (figures: Figures, relay: string) => readonly number[];
  /** The most that the judged relay may show: first bar and goal. */
  budget?: { bar: number; goal: number; unit: string };
}

export const headings: Record<RowName, string> = {
  whole: 'small chat: 1.4 KB in, 0.6 KB out, 64 connections',
  'translated-whole': 'the same small chat, translated to a messages upstream and from a messages client',
  large: 'chat with a body of 1 MB, 8 connections',
  stream: 'streamed chat: 100 streams, 50 chunks each at 20 ms',
  'translated-stream': 'the same streamed chat, translated to a messages upstream and from a messages client',
  latency: 'small chat at one connection',
  memory: 'resident memory, MB',
  uploads: '20 uploads of 30 MB at once, growth of resident memory, MB',
  tasks: 'live video tasks on one process, kill -9 in their middle',
};

const plain = (name: string) => (figures: Figures, relay: string) => figures.of(name, relay);
const timesYardstick = (name: string) => (figures: Figures, relay: string) => figures.ratio(name, relay, yardstick);
const timesUntranslated = (name: string, base: string) => (figures: Figures, relay: string) =>
  figures.multiple(name, base, relay);
const added = (name: string) => (figures: Figures, relay: string) =>
  relay === 'direct' ? [] : figures.added(name, relay, 'direct');

const unit = `x ${yardstick}`;

export const measures: readonly Measure[] = [
  { row: 'whole', label: 'requests/s', digits: 0, values: plain('whole.rate') },
  { row: 'whole', label: 'relay core busy, %', digits: 0, values: plain('whole.busy') },
  { row: 'whole', label: 'CPU us/request', digits: 1, values: plain('whole.cpu') },
  { row: 'whole', label: unit, digits: 2, values: timesYardstick('whole.cpu'), budget: { bar: 8, goal: 5, unit } },
  ...translated('translated-whole', 'whole', 'request'),
  { row: 'large', label: 'requests/s', digits: 0, values: plain('large.rate') },
  { row: 'large', label: 'CPU us/request', digits: 0, values: plain('large.cpu') },
  { row: 'large', label: unit, digits: 2, values: timesYardstick('large.cpu'), budget: { bar: 5, goal: 2.5, unit } },
  { row: 'stream', label: 'chunks/s', digits: 0, values: plain('stream.rate') },
  { row: 'stream', label: 'relay core busy, %', digits: 0, values: plain('stream.busy') },
  { row: 'stream', label: 'CPU us/chunk', digits: 1, values: plain('stream.cpu') },
  { row: 'stream', label: unit, digits: 2, values: timesYardstick('stream.cpu'), budget: { bar: 3, goal: 2, unit } },
  ...translated('translated-stream', 'stream', 'chunk'),
  { row: 'latency', label: 'p50 us', digits: 0, values: plain('latency.p50') },
  { row: 'latency', label: 'p99 us', digits: 0, values: plain('latency.p99') },
  { row: 'latency', label: 'added p50 us', digits: 0, values: added('latency.p50'), budget: budget(300, 150, 'us') },
  { row: 'latency', label: 'added p99 us', digits: 0, values: added('latency.p99'), budget: budget(2000, 1000, 'us') },
  { row: 'memory', label: 'idle', digits: 0, values: plain('memory.idle'), budget: budget(120, 80, 'MB') },
  { row: 'memory', label: 'after load', digits: 0, values: plain('memory.loaded') },
  {
    row: 'memory',
    label: 'many open streams',
    digits: 0,
    values: plain('memory.streams'),
    budget: budget(250, 150, 'MB'),
  },
  {
    row: 'tasks',
    label: 'seen after, % of the interval',
    digits: 0,
    values: plain('tasks.seen'),
    budget: budget(100, 60, '%'),
  },
  { row: 'tasks', label: 'the same, p99', digits: 0, values: plain('tasks.seenLate') },
  { row: 'tasks', label: 'all ended after restart, s', digits: 1, values: plain('tasks.resumed') },
  { row: 'tasks', label: 'not ended once, or charged or submitted twice', digits: 0, values: plain('tasks.wrong') },
  { row: 'uploads', label: 'growth', digits: 0, values: plain('memory.uploads') },
];

function translated(row: RowName, untranslated: RowName, counted: string): Measure[] {
  return (['chat', 'messages'] as const).flatMap((client) => {
    const way = client === 'chat' ? 'to messages' : 'from messages';
    const cost = `${row}.${client}.cpu`;
    return [
      { row, label: `${way}: ${counted}s/s`, digits: 0, values: plain(`${row}.${client}.rate`) },
      { row, label: `${way}: CPU us/${counted}`, digits: 1, values: plain(cost) },
      { row, label: `${way}: x untranslated`, digits: 2, values: timesUntranslated(cost, `${untranslated}.cpu`) },
    ];
  });
}

function budget(bar: number, goal: number, unit: string): { bar: number; goal: number; unit: string } {
  return { bar, goal, unit };
}

export const budgetNote =
  `Bars and goals judge the median of ${judgedRelay}. The part of a goal that compares with peers, and the 5 ms limit ` +
  'of the event loop with 1 MB bodies, are not judged here.';
