// Time in which a core had work to do and the machine's host let others run on it ("steal" of proc(5)). No relay can help
// it, and all that is measured meanwhile is longer by it.
import { readFileSync } from 'node:fs';

const tickMs = 10; // USER_HZ is 100 on every Linux that user space can see.
const stealField = 7;

/** Milliseconds since the start of the machine, core by core; undefined where the system does not tell. */
export function readStolen(text = readStat()): readonly number[] | undefined {
  const cores = [...text.matchAll(/^cpu\d+ (.*)$/gm)].map(([, fields = '']) => Number(fields.split(' ')[stealField]));
  return cores.length === 0 || cores.some(Number.isNaN) ? undefined : cores.map((ticks) => ticks * tickMs);
}

function readStat(): string {
  try {
    return readFileSync('/proc/stat', 'latin1');
  } catch {
    return '';
  }
}

/** Asked later, tells the part of the time since now that was taken from the core that lost most; 0 where nobody knows. */
export function watchStolen(): () => number {
  const [before, startedAt] = [readStolen(), performance.now()];
  return () => {
    const after = readStolen();
    if (before === undefined || after === undefined) return 0;
    const most = Math.max(...after.map((stolen, core) => stolen - (before[core] ?? stolen)));
    return most / (performance.now() - startedAt);
  };
}
