// Large bodies are scanned in slices, and all of them together have one slice in a round of the event loop: however many
// come at once, other requests wait for one slice only (promise B-11).
export class ScanQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #round = (): void => this.#next();

  /** Resolves in a round of its own. */
  take(): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push(begin);
      if (this.#waiting.length === 1) setImmediate(this.#round);
    });
  }

  #next(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#round);
  }
}
