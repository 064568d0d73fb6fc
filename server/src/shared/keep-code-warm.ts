// What was compiled for the requests of the last hour is still there for the next ones. V8 collects for memory when a
// process has been quiet for some seconds, and forgets the shapes of objects that nobody holds then; all code that was
// compiled for them goes too, and the first seconds after a pause cost several times the usual. Shapes are kept instead.
// Only a process that has grown large, as after a crowd, gives its memory back once it is quiet, at the price of compiling
// again: by its own hand, because V8 does so only after a collection that was large enough.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { giveBackMemory } from './give-back-memory.ts';

/** Above this, memory counts more than warm code. */
const LARGE_BYTES = 220 * 1_048_576;
/** What a process needs after it has given back is not asked for again before it has grown by this much. */
const GROWTH = 1.1;
const LOOK_EVERY_MS = 4_000;
const QUIET_LOOKS = 2;
/** Part of the time that the event loop is at work. */
const QUIET = 0.02;

export interface Levers {
  residentBytes(): number;
  /** Part of the time since it was last asked that the event loop was at work. */
  busyPart(): number;
  setFlag(flag: string): void;
  giveBack(): void;
}

function ownLevers(): Levers {
  let last = performance.eventLoopUtilization();
  return {
    residentBytes: () => process.memoryUsage.rss(),
    busyPart() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    setFlag: setFlagsFromString,
    giveBack: giveBackMemory,
  };
}

export function keepCodeWarm(levers: Levers = ownLevers()): void {
  levers.setFlag('--retain-maps-for-n-gc=100');
  levers.setFlag('--no-memory-reducer-favors-memory');
  let quietLooks = 0;
  let needed = 0;
  const look = (): void => {
    quietLooks = levers.busyPart() < QUIET ? quietLooks + 1 : 0;
    const resident = levers.residentBytes();
    if (quietLooks < QUIET_LOOKS || resident < LARGE_BYTES || resident < needed * GROWTH) return;
    levers.giveBack();
    needed = levers.residentBytes();
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
