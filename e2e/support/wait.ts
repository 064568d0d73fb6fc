// Waiting for what happens a moment later.
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Asks again and again until it is true; fails with the given words after the time is over. */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: string,
  withinMs = 3_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`${otherwise} (waited ${withinMs} ms)`);
    await pause(10);
  }
}
