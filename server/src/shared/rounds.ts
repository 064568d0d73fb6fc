// Work that is done round after round. Each round says how soon the next one shall begin, so that a worker with nothing to do
// sleeps for longer.

/** A wake waits so long for others, which then need no round of their own. */
const WAKE_MS = 25;
/** A timer may ring by so much too early, for it counts in whole milliseconds. */
const EARLY_MS = 2;

/** The pause until something is due. Infinity is never. */
export function pauseUntil(dueAt: number, now: number, { least, most }: { least: number; most: number }): number {
  return Math.max(least, Math.min(dueAt - now + EARLY_MS, most));
}

export class Rounds {
  readonly #work: () => Promise<number>;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  /**
   * `work` never rejects, and says after how many milliseconds the next round begins; as with an interval, one that is
   * missed is left out.
   */
  constructor(work: () => Promise<number>, now = (): number => performance.now()) {
    this.#work = work;
    this.#now = now;
  }

  start(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#round();
    }, afterMs);
  }

  /** There is something to do: soon, or soon after the round that is running. */
  wake(): void {
    if (this.#isWoken || this.#isStopped || this.#timer === undefined) return;
    this.#isWoken = true;
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.start(WAKE_MS);
  }

  /** Resolves when no round is running any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    const beganAt = this.#now();
    this.#isWoken = false;
    const pause = await this.#work();
    this.#running = undefined;
    if (!this.#isStopped) this.start(this.#isWoken ? WAKE_MS : pause - ((this.#now() - beganAt) % pause));
  }
}
