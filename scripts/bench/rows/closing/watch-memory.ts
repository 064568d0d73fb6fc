// The most resident memory that a relay has while something goes on.
import { residentMegabytes } from '../../processes/cost.ts';

const sampleMs = 100;

export interface MemoryWatch {
  /** Ends the watch; megabytes. */
  most(): number;
}

export function watchMemory(pids: readonly number[]): MemoryWatch {
  let most = residentMegabytes(pids);
  const look = (): void => void (most = Math.max(most, residentMegabytes(pids)));
  const sampling = setInterval(look, sampleMs);
  return {
    most() {
      clearInterval(sampling);
      look();
      return most;
    },
  };
}
