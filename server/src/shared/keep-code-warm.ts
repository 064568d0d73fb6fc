// What was compiled for the requests of the last hour is still there for the next ones. V8 collects for memory when a
// process has been quiet for some seconds, and forgets the shapes of objects that nobody holds then; all code that was
// compiled for them goes too, and the first seconds after a pause cost several times the usual. Shapes are kept instead, as
// long as the process is small; after a crowd has left, memory counts more, and V8 may collect as it likes.
import { setFlagsFromString } from 'node:v8';

/** Above this, memory is given back at the price of compiling again. */
const SLIM_BYTES = 220 * 1_048_576;
const LOOK_EVERY_MS = 4_000; // V8 waits for eight

export interface Levers {
  residentBytes(): number;
  setFlag(flag: string): void;
}

const OWN: Levers = { residentBytes: () => process.memoryUsage.rss(), setFlag: setFlagsFromString };

export function keepCodeWarm({ residentBytes, setFlag }: Levers = OWN): void {
  setFlag('--retain-maps-for-n-gc=100');
  let wasSlim: boolean | undefined;
  const look = (): void => {
    const isSlim = residentBytes() < SLIM_BYTES;
    if (isSlim === wasSlim) return;
    wasSlim = isSlim;
    setFlag(isSlim ? '--no-memory-reducer-favors-memory' : '--memory-reducer-favors-memory');
  };
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
}
