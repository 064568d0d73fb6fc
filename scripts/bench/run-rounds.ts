// The order of a run: idle figures, a short warm-up that is thrown away, the interleaved rounds, the closing figures.
// All relays live through the whole run, so that every round measures the same processes.
import { large, whole } from './rows/whole.ts';
import { latency } from './rows/latency.ts';
import { memory } from './rows/memory.ts';
import { tasks } from './rows/tasks.ts';
import { uploadMemory } from './rows/uploads.ts';
import type { Row, RowContext } from './rows/row.ts';
import { stream } from './rows/stream.ts';
import { translatedStream, translatedWhole } from './rows/translated.ts';
import { Figures } from './report/figures.ts';

const allRows: readonly Row[] = [
  whole,
  translatedWhole,
  large,
  stream,
  translatedStream,
  latency,
  memory,
  uploadMemory,
  tasks,
];

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

/** The same work for a moment, its figures left behind: compilers and pools get to know it. */
function warmUp(context: RowContext): RowContext {
  const seconds = Math.min(6, context.options.seconds);
  return { ...context, figures: new Figures(), options: { ...context.options, seconds, latencyRequests: 200 } };
}

export interface Watcher {
  say: (progress: string) => void;
  /** Called after each row; throws when the run cannot go on. */
  check: () => void;
}

export async function runRounds(context: RowContext, { say, check }: Watcher): Promise<void> {
  const rows = allRows.filter((row) => context.options.only.includes(row.name));
  const runOne = async (label: string, inRound: RowContext): Promise<void> => {
    for (const row of rows) {
      if (row.round === undefined) continue;
      say(`${label}: ${row.name}`);
      await row.round(inRound);
      check();
    }
  };
  for (const row of rows) await row.before?.(context);
  await runOne('warm-up', warmUp(context));
  for (let round = 0; round < context.options.rounds; round += 1) {
    const relays = rotate(context.relays, round);
    await runOne(`round ${round + 1} of ${context.options.rounds}`, { ...context, relays });
  }
  for (const row of rows) {
    if (row.after === undefined) continue;
    say(`closing figures: ${row.name}`);
    await row.after(context);
    check();
  }
}
