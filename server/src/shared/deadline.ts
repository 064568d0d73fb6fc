// Timers that are nearly always called off. Node keeps a list for each length in use, and makes it with its first timer and
// drops it with its last: a lone call would pay for that each time, several times what its timer costs.

/** Lists that stay, so many at most. */
const MOST_KEPT = 32;
/** What keeps a shorter one would wake the process too often. Node has no longer ones. */
const LEAST_MS = 1_000;
const MOST_MS = 2 ** 31 - 1;

const kept = new Set<number>();

/** As setTimeout; clearTimeout calls it off. */
export function setDeadline(onDue: () => void, ms: number): NodeJS.Timeout {
  if (!kept.has(ms) && ms >= LEAST_MS && ms <= MOST_MS && kept.size < MOST_KEPT) {
    kept.add(ms);
    setInterval(() => {}, ms).unref();
  }
  return setTimeout(onDue, ms);
}
