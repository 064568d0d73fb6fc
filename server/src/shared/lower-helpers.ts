// V8 compiles and collects in threads of its own. Where cores are few they would take the event loop's time by equal shares;
// with a lower priority they take what requests leave.
import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Linux lists the threads of a process here, each with its name, and has a priority for each. */
const THREADS = '/proc/self/task';
const HELPER = 'V8Worker\n';

export function lowerHelpers(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(THREADS)) {
    try {
      if (readFileSync(`${THREADS}/${thread}/comm`, 'latin1') === HELPER)
        setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Ended meanwhile, or the system does not let us: it goes on as before.
    }
  }
}
