// What the table shows, line by line, and the budget of the hot path beside it. Budgets judge one relay only and
// never decide the exit code: machines are noisy, readers are not.
import { judgedRelay, onPostgres, yardstick } from '../relays/list.ts';
import type { RowName } from '../row-names.ts';
import type { Figures } from './figures.ts';

export interface Budget {
  /** What the budget calls it. */
  work: string;
  /** The most that the judged relay may show. */
  bar?: number;
  goal?: number;
  unit: string;
}

export interface Measure {
  row: RowName;
  label: string;
  digits: number;
  values: (figures: Figures, relay: string) => readonly number[];
  budget?: Budget;
  /** Whose figures the budget judges, where that is not the relay that all others are about. */
  judged?: string;
}

type Values = Measure['values'];

const plain =
  (name: string): Values =>
  (figures, relay) =>
    figures.of(name, relay);
const timesYardstick =
  (name: string): Values =>
  (figures, relay) =>
    figures.ratio(name, relay, yardstick);
const timesOther =
  (name: string, other: string): Values =>
  (figures, relay) =>
    relay === judgedRelay ? figures.ratio(name, relay, other) : [];
const timesUntranslated =
  (name: string, base: string): Values =>
  (figures, relay) =>
    figures.multiple(name, base, relay);
const added =
  (name: string): Values =>
  (figures, relay) =>
    relay === 'direct' ? [] : figures.added(name, relay, 'direct');

const unit = `x ${yardstick}`;

/** Rate, share of the core, cost and multiple, as every row in a closed loop has them. */
function looped(row: RowName, counted: string, digits: number, budget?: Budget): Measure[] {
  return [
    { row, label: `${counted}s/s`, digits: 0, values: plain(`${row}.rate`) },
    { row, label: 'relay core busy, %', digits: 0, values: plain(`${row}.busy`) },
    { row, label: `CPU us/${counted}`, digits, values: plain(`${row}.cpu`) },
    { row, label: unit, digits: 2, values: timesYardstick(`${row}.cpu`), ...(budget !== undefined && { budget }) },
  ];
}

function translated(row: RowName, untranslated: RowName, counted: string): Measure[] {
  return (['chat', 'messages'] as const).flatMap((client) => {
    const direction = client === 'chat' ? 'to messages' : 'from messages';
    const cost = `${row}.${client}.cpu`;
    return [
      { row, label: `${direction}: ${counted}s/s`, digits: 0, values: plain(`${row}.${client}.rate`) },
      { row, label: `${direction}: CPU us/${counted}`, digits: 1, values: plain(cost) },
      { row, label: `${direction}: x untranslated`, digits: 2, values: timesUntranslated(cost, `${untranslated}.cpu`) },
    ];
  });
}

function one(row: RowName, label: string, values: Values, budget?: Budget): Measure {
  return { row, label, digits: 0, values, ...(budget !== undefined && { budget }) };
}

function belowPeer(peer: string): Measure {
  const budget = { work: `small chat below every peer: ${peer}`, goal: 1, unit: `x ${peer}` };
  return { row: 'whole-64', label: `x ${peer}`, digits: 3, values: timesOther('whole-64.cpu', peer), budget };
}

export const measures: readonly Measure[] = [
  one('whole-1', 'p50 us', plain('whole-1.p50')),
  one('whole-1', 'p99 us', plain('whole-1.p99')),
  one('whole-1', 'added p50 us', added('whole-1.p50'), {
    work: 'added p50 at one connection',
    bar: 300,
    goal: 150,
    unit: 'us',
  }),
  {
    row: 'whole-1',
    label: 'on PostgreSQL: added p50 us',
    digits: 0,
    values: (figures, relay) => (relay === onPostgres ? figures.added('whole-1.p50', relay, 'direct') : []),
    judged: onPostgres,
    budget: { work: 'on PostgreSQL: added p50 at one connection', goal: 1500, unit: 'us' },
  },
  one('whole-1', 'added p99 us', added('whole-1.p99'), {
    work: 'added p99 at one connection',
    bar: 2000,
    goal: 1000,
    unit: 'us',
  }),
  { row: 'whole-1', label: 'CPU us/request', digits: 1, values: plain('whole-1.cpu') },
  { row: 'whole-1', label: unit, digits: 2, values: timesYardstick('whole-1.cpu') },
  one('whole-1', 'awake: added p50 us', added('whole-1.awake.p50')),
  one('whole-1', 'awake: added p99 us', added('whole-1.awake.p99')),
  { row: 'whole-1', label: 'awake: CPU us/request', digits: 1, values: plain('whole-1.awake.cpu') },
  ...looped('whole-64', 'request', 1, { work: 'small chat, CPU per request', bar: 8, goal: 5, unit }),
  {
    row: 'whole-64',
    label: 'x Portkey',
    digits: 3,
    values: timesOther('whole-64.cpu', 'Portkey'),
    budget: { work: 'small chat against Portkey', bar: 1 / 8, goal: 1 / 15, unit: 'x Portkey' },
  },
  ...['Bifrost', 'new-api', 'LiteLLM'].map(belowPeer),
  {
    row: 'whole-64',
    label: 'on PostgreSQL: x SQLite',
    digits: 2,
    values: (figures, relay) => (relay === onPostgres ? figures.ratio('whole-64.cpu', relay, judgedRelay) : []),
    judged: onPostgres,
    budget: { work: 'small chat on PostgreSQL, CPU per request', goal: 1.5, unit: 'x SQLite' },
  },
  ...looped('whole-1000', 'request', 1),
  ...translated('translated-whole', 'whole-64', 'request'),
  ...looped('large', 'request', 0, { work: '1 MB JSON body, CPU per request', bar: 5, goal: 2.5, unit }),
  {
    row: 'large',
    label: 'event loop late at most, ms',
    digits: 1,
    values: plain('large.delay'),
    budget: { work: '1 MB JSON body, event loop blocked', goal: 5, unit: 'ms' },
  },
  ...looped('upload', 'upload', 0),
  ...looped('stream', 'chunk', 1, { work: 'SSE, CPU per chunk at 20 ms', bar: 3, goal: 2, unit }),
  ...translated('translated-stream', 'stream', 'chunk'),
  one('first-byte', 'p50 us', plain('first-byte.p50')),
  one('first-byte', 'p99 us', plain('first-byte.p99')),
  one('first-byte', 'added p50 us', added('first-byte.p50'), {
    work: 'first byte of 200 streams, added p50 (S-02)',
    bar: 5000,
    unit: 'us',
  }),
  one('first-byte', 'added p99 us', added('first-byte.p99'), {
    work: 'first byte of 200 streams, added p99 (S-02)',
    bar: 25_000,
    unit: 'us',
  }),
  one('paced', 'p50 us', plain('paced.p50')),
  one('paced', 'p99 us', plain('paced.p99')),
  one('paced', 'p99.9 us', plain('paced.p999')),
  { row: 'paced', label: `p99, ${unit}`, digits: 2, values: timesYardstick('paced.p99') },
  one('memory', 'idle', plain('memory.idle'), { work: 'memory, idle', bar: 100, goal: 80, unit: 'MB' }),
  one('memory', 'after load', plain('memory.loaded')),
  one('memory', 'the same, 20 s later', plain('memory.rested')),
  one('memory', 'many open streams', plain('memory.streams'), {
    work: 'memory, 1,000 open streams',
    bar: 250,
    goal: 150,
    unit: 'MB',
  }),
  one('uploads', 'growth', plain('uploads.growth'), {
    work: 'memory, 20 bodies at once: growth below twice the limit of 64 MB (B-03)',
    bar: 128,
    unit: 'MB',
  }),
  one('idle', 'connections lost', plain('idle.lost'), {
    work: '10,000 idle connections, lost (B-05)',
    bar: 0,
    unit: 'connections',
  }),
  one('idle', 'growth, MB', plain('idle.growth')),
  one('idle', 'active p99 before them, us', plain('idle.alone')),
  one('idle', 'active p99 beside them, us', plain('idle.beside')),
  {
    row: 'idle',
    label: 'active p99, x before',
    digits: 2,
    values: (figures, relay) => figures.multiple('idle.beside', 'idle.alone', relay),
    budget: { work: '10,000 idle connections, active p99 (B-05)', bar: 2, unit: 'x before' },
  },
  one('slow-readers', '200 of them: growth, MB', plain('slow-readers.few'), {
    work: 'memory, 200 slow readers of 20 MB: growth (B-03)',
    bar: 150,
    unit: 'MB',
  }),
  one('slow-readers', 'all: growth, MB', plain('slow-readers.growth')),
  one('slow-readers', 'readers lost', plain('slow-readers.lost')),
  one('tasks', 'seen after, % of the interval', plain('tasks.seen'), {
    work: 'end of a video task seen after',
    bar: 100,
    goal: 60,
    unit: '% of the interval',
  }),
  one('tasks', 'the same, p99', plain('tasks.seenLate')),
  { row: 'tasks', label: 'all ended after restart, s', digits: 1, values: plain('tasks.resumed') },
  one('tasks', 'not ended once, or charged or submitted twice', plain('tasks.wrong')),
];
