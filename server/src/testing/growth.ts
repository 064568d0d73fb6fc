// Whether work grows with the size of what it is given, and not with its square: judged by two sizes in the same run, in
// processor time of this thread, because what a clock says depends on the machine and on what else it does.
import assert from 'node:assert/strict';

const TIMES_LARGER = 16;
/** Between 16, which is fair, and 256, which is the square. */
const MOST = 80;
const ROUNDS = { least: 2, most: 20 };
const LEAST_MICROSECONDS = 20_000;

/** `prepare` makes the work on something of the given size; preparing is not counted. */
export function assertGrowsLinearly(small: number, prepare: (size: number) => () => unknown): void {
  const works = { small: prepare(small), large: prepare(small * TIMES_LARGER) };
  const best = { small: Infinity, large: Infinity };
  for (let round = 1; round <= ROUNDS.most; round++) {
    best.small = Math.min(best.small, timeOf(works.small));
    best.large = Math.min(best.large, timeOf(works.large));
    if (round >= ROUNDS.least && best.large < MOST * best.small) return;
  }
  assert.fail(`what is ${TIMES_LARGER} times larger takes ${Math.round(best.large / best.small)} times as long`);
}

/** Of one time, in microseconds: done again until the system's count, which moves in ticks, has moved well. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let times = 1; ; times++) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= LEAST_MICROSECONDS) return (user + system) / times;
  }
}
