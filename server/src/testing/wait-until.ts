// Waiting for what happens a moment later, on machines of any speed: what takes longer than this never happens.
const LEAST_MS = 180_000;
/** How much longer than on a quiet machine anything may take. */
const TIMES_SLOWER = 4;
/** The longer it takes, the less often it is asked: to ask is often a call to a gateway, which has other work then. */
const PAUSE = { leastMs: 10, shareOfWaited: 1 / 8, mostMs: 250 };

/**
 * Asks again and again until it is true; fails with the given words when even a slow, busy machine should have got
 * there. `quietMs` is for what takes more than 45 s on a quiet one.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: string,
  quietMs = 0,
): Promise<void> {
  const limitMs = Math.max(LEAST_MS, TIMES_SLOWER * quietMs);
  const start = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - start;
    if (waitedMs > limitMs) throw new Error(`${otherwise} (waited ${limitMs} ms)`);
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(Math.max(waitedMs * PAUSE.shareOfWaited, PAUSE.leastMs), PAUSE.mostMs));
    });
  }
}
