// Gain: 9 us of the 200 us of a lone small chat. Removable alone: setTimeout does the same. Timers that are nearly always
// cancelled: Node makes a list with the first timer of a length and drops it with the last, so a lone call pays for both
// (docs/decisions/2026-11-17-lone-calls.md).

/** Lists that stay, so many at most. */
const MOST_KEPT = 32;
/** What keeps a shorter one would wake the process too often. Node has no longer ones. */
const LEAST_MS = 1_000;
const MOST_MS = 2 ** 31 - 1;

const kept = new Set<number>();

/** As setTimeout; clearTimeout cancels it. */
export function setDeadline(onDue: () => void, ms: number): NodeJS.Timeout {
  if (!kept.has(ms) && ms >= LEAST_MS && ms <= MOST_MS && kept.size < MOST_KEPT) {
    kept.add(ms);
    setInterval(() => {}, ms).unref();
  }
  return setTimeout(onDue, ms);
}
