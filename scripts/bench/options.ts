// The command line of the benchmark, checked once at the edge. Every limit on count and time that a run
// obeys is decided here, so that `--quick` and the full run differ in this file only.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const rowNames = [
  'whole',
  'translated-whole',
  'large',
  'stream',
  'translated-stream',
  'latency',
  'memory',
  'uploads',
  'tasks',
] as const;
export type RowName = (typeof rowNames)[number];

export interface Options {
  rounds: number;
  seconds: number;
  only: readonly RowName[];
  /** Requests per relay and round of the latency row, sent in slices that alternate between the relays. */
  latencyRequests: number;
  openStreams: number;
  /** Live video tasks of the tasks row, and the interval at which they are asked about. */
  liveTasks: number;
  taskPollMs: number;
  /** Gateways to measure by name: the entry file of this checkout and of any other one to compare with. */
  servers: readonly { name: string; file: string }[];
  jsonFile: string | undefined;
}

export const usage = `npm run bench -- [options]
  --rounds N        interleaved rounds, the median counts (5)
  --seconds N       length of each measured stretch (4)
  --quick           2 rounds of 1 second: shows that it works, proves no figure
  --only a,b        rows: ${rowNames.join(', ')};
                    "translated" stands for both translated rows
  --streams N       open streams of the memory row (1000)
  --tasks N         live video tasks of the tasks row (1000)
  --server FILE     gateway to measure (dist/server/src/main.js)
  --also NAME=FILE  a further gateway beside it, such as another checkout's dist/server/src/main.js; may be repeated
  --json FILE       write the raw figures of every round`;

function readNumber(name: string, text: string, limits: { least: number; most: number }): number {
  const value = Number(text);
  if (!(value >= limits.least && value <= limits.most)) {
    throw new Error(`--${name} must be a number from ${limits.least} to ${limits.most}, not "${text}"`);
  }
  return value;
}

function readRows(text: string | undefined): readonly RowName[] {
  if (text === undefined) return rowNames;
  const asked = text.split(',').map((word) => word.trim());
  const isMeant = (name: RowName, word: string): boolean => name === word || name.startsWith(`${word}-`);
  const unknown = asked.find((word) => !rowNames.some((name) => isMeant(name, word)));
  if (unknown !== undefined) throw new Error(`--only: no row "${unknown}"; rows are ${rowNames.join(', ')}`);
  return rowNames.filter((name) => asked.some((word) => isMeant(name, word)));
}

function readFurther(text: string): { name: string; file: string } {
  const cut = text.indexOf('=');
  if (cut < 1) throw new Error(`--also takes NAME=FILE, not "${text}"`);
  return { name: text.slice(0, cut), file: resolve(text.slice(cut + 1)) };
}

/** Reads the command line; undefined means that only the help was asked for. */
export function readOptions(words: readonly string[], defaultServer: string): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      streams: { type: 'string', default: '1000' },
      tasks: { type: 'string' },
      server: { type: 'string', default: defaultServer },
      also: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const servers = [{ name: 'Tollgate', file: resolve(values.server) }, ...values.also.map(readFurther)];
  const names = ['direct', 'nginx', ...servers.map((server) => server.name)];
  if (new Set(names).size < names.length) throw new Error('--also: every relay needs a name of its own');
  return {
    rounds: Math.floor(readNumber('rounds', values.rounds ?? (values.quick ? '2' : '5'), { least: 1, most: 50 })),
    seconds: readNumber('seconds', values.seconds ?? (values.quick ? '1' : '4'), { least: 0.2, most: 60 }),
    only: readRows(values.only),
    latencyRequests: values.quick ? 400 : 2000,
    openStreams: Math.floor(readNumber('streams', values.streams, { least: 1, most: 20_000 })),
    liveTasks: Math.floor(
      readNumber('tasks', values.tasks ?? (values.quick ? '100' : '1000'), { least: 10, most: 20_000 }),
    ),
    taskPollMs: values.quick ? 1000 : 5000,
    servers,
    jsonFile: values.json,
  };
}
