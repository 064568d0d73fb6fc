// Waiting for what happens a moment later.
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** How much longer than on a quiet machine anything may take before a test calls it never. */
const PATIENCE = 4;

/** Asks again and again until it is true; fails with the given words when even a slow machine should have got there. */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: string,
  withinMs = 3_000,
): Promise<void> {
  const patienceMs = withinMs * PATIENCE;
  const end = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`${otherwise} (waited ${patienceMs} ms)`);
    await pause(10);
  }
}
