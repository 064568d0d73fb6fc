// One cancellation per request: ends the call under way when the client leaves or the deadline of the whole request passes.
import type { UpstreamCall } from './call-upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Member } from '../shared/runtime/indexed-set.ts';

export class Cancellation implements Member {
  index: number | undefined;
  reason: UpstreamError | undefined;
  /** The last call of the request, as long as one may be under way: what listens to the client's leave lives as long as the client. */
  call: UpstreamCall | undefined;
  #wasSent = false;
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

  /** The last call went to its upstream, which cannot be taken back. */
  get isSent(): boolean {
    return this.call?.isSent ?? this.#wasSent;
  }

  clear(): void {
    this.#wasSent = this.isSent;
    this.call = undefined;
    clearTimeout(this.#timer);
    this.#listener = undefined;
  }
}
