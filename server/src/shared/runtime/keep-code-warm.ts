// Gain: the first second after a pause costs 290 to 350 us a small chat instead of 570 to 920. Removable alone. V8 drops
// compiled code in quiet moments, with the shapes of objects that nobody holds. This keeps it; only a large and idle process
// gives its memory back (docs/decisions/2026-11-15-compiled-code-through-pauses.md).
import { setFlagsFromString } from 'node:v8';
import { giveBackMemory } from './give-back-memory.ts';
import { measureUtilisation } from './utilisation.ts';

/** Above this, memory counts more than warm code. */
const LARGE_BYTES = 384 * 1_048_576;
/** What a process needs after it has given back is not asked for again before it has grown by this much. */
const GROWTH = 1.1;
/** Percent of what is alive. A small heap would else grow to four times that before V8 looks, and never shrink again. */
const MOST_GARBAGE = 30;
const LOOK_EVERY_MS = 4_000;
const QUIET_LOOKS = 2;
/** Part of the time that the event loop is at work. */
const QUIET = 0.02;

export interface Levers {
  residentBytes(): number;
  /** Part of the time since it was last asked that the event loop was at work. */
  busyPart(): number;
  /** To give back stops the event loop for a moment, which nobody should wait for. */
  isServing(): boolean;
  setFlag(flag: string): void;
  giveBack(): void;
}

export type Server = Pick<Levers, 'isServing'>;

function leversOf({ isServing }: Server): Levers {
  return {
    residentBytes: () => process.memoryUsage.rss(),
    busyPart: measureUtilisation(),
    isServing,
    setFlag: setFlagsFromString,
    giveBack: giveBackMemory,
  };
}

export function keepCodeWarm(server: Server): void {
  keepWarm(leversOf(server));
}

export function keepWarm({ residentBytes, busyPart, isServing, setFlag, giveBack }: Levers): void {
  setFlag('--no-memory-reducer-favors-memory');
  setFlag(`--heap-growing-percent=${MOST_GARBAGE}`);
  let quietLooks = 0;
  let needed = 0;
  const look = (): void => {
    const isQuiet = busyPart() < QUIET && !isServing();
    quietLooks = isQuiet ? quietLooks + 1 : 0;
    if (!isQuiet) needed = 0;
    const resident = residentBytes();
    if (quietLooks < QUIET_LOOKS || resident < LARGE_BYTES || resident < needed * GROWTH) return;
    giveBack();
    needed = residentBytes();
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
