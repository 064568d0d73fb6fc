// Work that is done round after round. Each round says how soon the next one shall begin, so that whoever has nothing to do
// sleeps for longer.
export class Rounds {
  readonly #work: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  /** `work` never rejects; it says after how many milliseconds, counted from its own begin, the next round begins. */
  constructor(work: () => Promise<number>) {
    this.#work = work;
  }

  start(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#round();
    }, afterMs);
  }

  /** There is something to do: now, or as soon as the round that is running has ended. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    if (this.#running !== undefined || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.start(0);
  }

  /** Resolves when no round is running any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    const beganAt = performance.now();
    this.#isWoken = false;
    const pause = await this.#work();
    this.#running = undefined;
    if (this.#isStopped) return;
    this.start(this.#isWoken ? 0 : Math.max(0, beganAt + pause - performance.now()));
  }
}
