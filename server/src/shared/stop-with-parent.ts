// Ends a process that npm started together with npm, which passes a signal to its shell only, and the shell dies with it
// alone: a parent that is gone means stop. Imported first of all, for the parent may go while the program is loaded.
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

const parent = process.ppid;

export function stopWithParent(stop: () => void): void {
  const look = (): void => {
    if (process.ppid === parent && !wasGoneAtFirst()) return;
    clearInterval(timer);
    stop();
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
}

/**
 * Gone before the first line was run: only process 1 shows that, unless it is npm itself, as in a container. What npm starts
 * is of its process group.
 */
function wasGoneAtFirst(): boolean {
  if (parent !== 1) return false;
  try {
    return groupOf('self') !== groupOf('1');
  } catch {
    return process.platform === 'darwin'; // where process 1 is never npm
  }
}

/** The second word behind the program's name, which may hold anything. */
function groupOf(id: string): string | undefined {
  return readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[2];
}
