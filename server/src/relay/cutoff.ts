// One switch per request that ends whatever is under way: thrown when the client leaves or the whole request's time is over.
import { UpstreamError } from '../providers/upstream-error.ts';
import { setDeadline } from '../shared/runtime/deadline.ts';
import type { Member } from '../shared/runtime/indexed-set.ts';

export class Cutoff implements Member {
  index: number | undefined;
  reason: UpstreamError | undefined;
  #listener: ((reason: UpstreamError) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  cut(reason: UpstreamError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#listener?.(reason);
  }

  /** One deadline over all attempts; only the first call sets it. */
  limit(totalMs: number): void {
    this.#timer ??= setDeadline(
      () => this.cut(new UpstreamError('timed-out', 'the time for the whole request is over')),
      totalMs,
    );
  }

  /** What to end when the switch is thrown; at once if it was. */
  follow(listener: ((reason: UpstreamError) => void) | undefined): void {
    this.#listener = listener;
    if (this.reason !== undefined) listener?.(this.reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#listener = undefined;
  }
}
