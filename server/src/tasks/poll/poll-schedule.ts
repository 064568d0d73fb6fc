// When to ask about a task next: often while it is young, seldom when it is old or its provider does not answer.
export interface Schedule {
  /** TOLLGATE_TASK_POLL_MS. */
  baseMs: number;
  /** Milliseconds since the submit. */
  ageMs: number;
  /** Polls in a row that brought nothing. */
  failures: number;
  /** Seconds that the provider asked us to wait. */
  retryAfter?: number | undefined;
  /** From 0 to 1. */
  random: number;
}

/** For this long, or this many intervals where that is longer, a task is young. */
const YOUNG_MS = 120_000;
const YOUNG_INTERVALS = 24;
const MOST_AGE_FACTOR = 12;
const MOST_FAILURE_DOUBLINGS = 4;
const LONGEST_MS = 300_000;
/** Tasks that were submitted together shall not be asked about together for ever. */
const SPREAD = 0.1;
/** The least that a look waits, as a part of its interval. */
export const SOONEST = 1 - SPREAD;

export function nextPollMs({ baseMs, ageMs, failures, retryAfter = 0, random }: Schedule): number {
  const age = Math.min(MOST_AGE_FACTOR, Math.max(1, ageMs / Math.max(YOUNG_MS, baseMs * YOUNG_INTERVALS)));
  const backoff = 2 ** Math.min(failures, MOST_FAILURE_DOUBLINGS);
  const interval = Math.min(Math.max(LONGEST_MS, baseMs), baseMs * age * backoff);
  return Math.round(Math.max(interval * (1 - SPREAD * random), retryAfter * 1000));
}
