// A start needs memory that nothing needs afterwards: sources as they are read, schemas as they are built, and room for the
// young that grew with it. A gateway that then waits would keep it until its next burst.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Collect {
  (options: { type: 'major'; flavor: 'last-resort' }): void;
}

export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  // Flags are the process's: another thread may have taken it back already, and then this one keeps its memory.
  const collect = runInNewContext('globalThis.gc') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  collect?.({ type: 'major', flavor: 'last-resort' });
}
