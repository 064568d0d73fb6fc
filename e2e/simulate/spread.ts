// Random numbers that are the same in every run, and what they are used for here.

export type Random = () => number;

/** Numbers from 0 to 1 (Mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Time until the next of events that come by chance. */
export function untilNext(random: Random, perSecond: number): number {
  return (-Math.log(1 - random()) / perSecond) * 1000;
}

/** One of `count`, the first ones far more often: the n-th about as often as 1/n (the usual law of customers). */
export function zipf(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count))));
}

export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

export function sortedUp(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
