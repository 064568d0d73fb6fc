// Time as a value that is passed in, so that tests can move it.
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** For durations: nobody can set it, so no window or pause changes because somebody set the clock. */
export const steadyClock: Clock = { now: () => Math.round(performance.timeOrigin + performance.now()) };

/** Unix seconds, the unit of every time in the store and on the wire. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
