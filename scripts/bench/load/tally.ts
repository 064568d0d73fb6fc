// Counts of one load job while it runs. A failure is kept by its reason, so that a bad run can say what went wrong.
import type { LoadResult } from './job.ts';

export class Tally {
  requests = 0;
  chunks = 0;
  kept = 0;
  readonly times: number[] = [];
  readonly #failures = new Map<string, number>();
  readonly #started = performance.now();

  fail(reason: string): void {
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
  }

  /** Takes the time since `before`, as performance.now() gave it. */
  time(before: number): void {
    this.times.push((performance.now() - before) * 1000);
  }

  result(): LoadResult {
    const seconds = (performance.now() - this.#started) / 1000;
    const { requests, chunks, kept, times } = this;
    return { requests, chunks, kept, seconds, times, failures: Object.fromEntries(this.#failures) };
  }
}
