// One cancellation per request: ends the call under way when the client leaves or the deadline of the whole request passes.
import type { UpstreamCall } from './call-upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Member } from '../shared/runtime/indexed-set.ts';

export class Cancellation implements Member {
  index: number | undefined;
  reason: UpstreamError | undefined;
  /** The last call of the request, once one is under way. */
  call: UpstreamCall | undefined;
  #listener: ((reason: UpstreamError) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  cancel(reason: UpstreamError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#listener?.(reason);
  }

  /** One deadline over all attempts; only the first call sets it. */
  limit(totalMs: number): void {
    this.#timer ??= setTimeout(
      () => this.cancel(new UpstreamError('timed-out', 'the time for the whole request is over')),
      totalMs,
    );
  }

  /** Called on cancellation, at once if that was before. Replaces the listener before it. */
  follow(listener: ((reason: UpstreamError) => void) | undefined): void {
    this.#listener = listener;
    if (this.reason !== undefined) listener?.(this.reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#listener = undefined;
  }
}
