// The order of a run: idle figures, warm-ups that are thrown away, the interleaved rounds, the closing figures.
// All relays live through the whole run, so that every round measures the same processes.
import { idle } from './rows/closing/idle.ts';
import { memory } from './rows/closing/memory.ts';
import { slowReaders } from './rows/closing/slow-readers.ts';
import { tasks } from './rows/closing/tasks.ts';
import { uploadMemory } from './rows/closing/uploads.ts';
import { large, upload } from './rows/large.ts';
import { oneConnection } from './rows/one-connection.ts';
import { paced } from './rows/paced.ts';
import type { RunningRelay } from './relays/relay.ts';
import type { Row, RowContext } from './rows/row.ts';
import { firstByte, stream } from './rows/stream.ts';
import { LoadPhases } from './rows/load-phases.ts';
import { translatedStream, translatedWhole } from './rows/translated.ts';
import { smallChat, whole1000, whole64 } from './rows/whole.ts';
import { Figures } from './report/figures.ts';

const allRows: readonly Row[] = [
  oneConnection,
  whole64,
  whole1000,
  translatedWhole,
  large,
  upload,
  stream,
  translatedStream,
  firstByte,
  paced,
  memory,
  uploadMemory,
  idle,
  slowReaders,
  tasks,
];

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

/** The same work for a moment, its figures left behind: compilers and pools get to know it. */
function warmUp(context: RowContext): RowContext {
  const seconds = Math.min(6, context.options.seconds);
  return {
    ...context,
    figures: new Figures(),
    phases: new LoadPhases(),
    options: { ...context.options, seconds, timedRequests: 200 },
  };
}

/** Long enough for compilers: a round of cold code tells how long they take, not what a request costs. */
async function settle({ relays, load, options }: RowContext): Promise<void> {
  for (const { target } of relays)
    await load.run(undefined, { kind: 'loop', target, ...smallChat, seconds: options.settleSeconds });
}

export interface Watcher {
  say: (progress: string) => void;
  /** Called after each step; throws when the run cannot go on. Names the guests that are gone. */
  check: () => readonly string[];
}

type Phase = 'quiet' | 'before' | 'round' | 'after';

export function listRows({ options }: Pick<RowContext, 'options'>): Row[] {
  return allRows.filter((row) => options.rows.includes(row.name));
}

/** Guests that a row is done without: they ended by themselves, or cannot do what it asks. */
class Absent {
  readonly #context: RowContext;
  readonly #gone = new Set<string>();
  readonly #hopeless = new Set<string>();

  constructor(context: RowContext) {
    this.#context = context;
  }

  takesPart({ name, role }: RunningRelay, row: Row): boolean {
    if (role === 'step' && row.hasSteps !== true) return false;
    return !this.#gone.has(name) && !this.#hopeless.has(`${row.name} ${name}`);
  }

  noteGone(names: readonly string[], row: Row): void {
    for (const name of names) {
      if (!this.#gone.has(name))
        this.#context.notes.push(`${name} ended by itself in "${row.name}" and is missing since.`);
      this.#gone.add(name);
    }
  }

  /** Before it costs every round the time that failures take. */
  noteHopeless(names: readonly string[], row: Row): void {
    const { relays, load, gaps } = this.#context;
    for (const name of names) {
      if (relays.find((relay) => relay.name === name)?.role !== 'guest') continue;
      const reasons = [...(load.failures.get(name)?.keys() ?? [])].join(', ');
      gaps.push(`${name} is left out of "${row.name}": most of its requests failed in the warm-up (${reasons}).`);
      this.#hopeless.add(`${row.name} ${name}`);
    }
  }
}

export async function runRounds(context: RowContext, { say, check }: Watcher): Promise<void> {
  const rows = listRows(context);
  const absent = new Absent(context);
  const run = async (phase: Phase, label: string, inPhase: RowContext): Promise<void> => {
    for (const row of rows) {
      const work = row[phase];
      if (work === undefined) continue;
      say(`${label}: ${row.name}`);
      await work({ ...inPhase, relays: inPhase.relays.filter((relay) => absent.takesPart(relay, row)) });
      absent.noteGone(check(), row);
      const hopeless = context.load.takeHopeless();
      if (label === 'warm-up') absent.noteHopeless(hopeless, row);
    }
  };
  await run('quiet', 'idle figures', context);
  await run('before', 'trying', context);
  say('warm-up of all relays');
  await settle(context);
  await run('round', 'warm-up', warmUp(context));
  const { rounds } = context.options;
  for (let round = 0; round < rounds; round += 1) {
    const relays = rotate(context.relays, round);
    await run('round', `round ${round + 1} of ${rounds}`, { ...context, relays });
  }
  await run('after', 'closing figures', context);
}
