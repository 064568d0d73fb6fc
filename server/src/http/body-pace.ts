// How slowly a body may come: it is given up when it falls silent, and when it only trickles.

/** A body that stops coming for this long is given up. */
const SILENCE_MS = 30_000;
/** And so is one that brings less than this in each minute. */
const PACE_MS = 60_000;
const PACE_BYTES = 256 * 1024;

export class BodyPace {
  readonly #expected: number | undefined;
  readonly #silence: NodeJS.Timeout;
  readonly #pace: NodeJS.Timeout;
  #bytes = 0;
  #pacedBytes = 0;
  #held = false;
  #stopped = false;

  constructor(expected: number | undefined, onTooSlow: () => void) {
    this.#expected = expected;
    this.#silence = setTimeout(() => {
      if (!this.#held) return onTooSlow();
      this.#silence.refresh();
    }, SILENCE_MS);
    this.#pace = setTimeout(() => {
      if (!this.#held && this.#bytes - this.#pacedBytes < PACE_BYTES) return onTooSlow();
      this.#pacedBytes = this.#bytes;
      this.#pace.refresh();
    }, PACE_MS);
  }

  came(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes !== this.#expected) this.#silence.refresh();
  }

  /** While the gateway itself keeps the client waiting, the client is not slow. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    if (!this.#stopped) this.#silence.refresh(); // which would start it again
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#pace);
  }
}
