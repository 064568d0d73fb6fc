// For tests that turn the clock of timers themselves, while a database answers in its own time.
import type { TestContext } from 'node:test';

const BREATH_MS = 20;

/** From now on timers ring only when the test says so. The result waits for a moment of real time. */
export function realTime(t: TestContext): () => Promise<void> {
  const setRealTimeout = setTimeout;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return () =>
    new Promise((resolve) => {
      setRealTimeout(resolve, BREATH_MS);
    });
}
