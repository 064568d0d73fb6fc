// When a delivery is tried again after its receiver failed: soon at first, since most failures are short, and
// for about a day in all.
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const PAUSES = [SECOND, 5 * SECOND, 60 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** Milliseconds from the end of an attempt to the next, counted from 1; undefined when it was the last. */
export function retryPause(attempts: number): number | undefined {
  return PAUSES[attempts - 1];
}
