// Whether what an upstream counted of a video can be true (promise M-10).

/**
 * What is held takes every unknown at its most expensive, but it is a formula of ours: a count above it is believed, so that a new
 * model is not given away. One so far above it is a mistake of somebody's, and nobody pays for it.
 */
const MOST_TIMES = 10;

export function isPlausible(count: number, held: number): boolean {
  return Number.isSafeInteger(count) && count >= 0 && count <= held * MOST_TIMES;
}
