// What the last day means where calls are counted by the hour: the hour under way and those before it.
export const HOUR_SECONDS = 3_600;
export const HOURS_OF_DAY = 24;
/** In place of a bucket of times: calls that failed. */
export const FAILED_CALLS = -1;

export function hourOf(now: number): number {
  return now - (now % HOUR_SECONDS);
}

/** The last hour that is no part of the last day. */
export function lastHourBefore(now: number): number {
  return hourOf(now) - HOURS_OF_DAY * HOUR_SECONDS;
}
