// How long a rule of alerts rests after an evaluation that took long.

/** A rule that takes long is evaluated less often, so that it never keeps the store busy. */
const REST_FACTOR = 20;
/** But not so rarely that it comes too late: `channel_down` opens and resolves within 60 s (contract-2 10). */
const MOST_INTERVALS = 4;

/** All in milliseconds; `every` is the interval of the rule when it is quick. */
export function restAfter(took: number, every: number): number {
  return Math.min(REST_FACTOR * took, MOST_INTERVALS * every);
}
