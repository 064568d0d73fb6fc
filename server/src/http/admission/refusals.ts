// When refusals for lack of capacity are sent. A refused client comes again, and refusing costs a fifth of
// serving: sent at once, refusals of a crowd would keep the process busy with nothing else.

export interface RefusalsSettings {
  /** So many are sent in one round of the event loop: a busy process has few rounds. */
  perRound?: number;
  /** Nobody waits longer: what a refusal says to wait before the next try. */
  maxWaitMs?: number;
  now?(): number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

interface Waiting {
  since: number;
  tell(): void;
}

export class Refusals {
  readonly #settings: Required<RefusalsSettings>;
  readonly #round = (): void => this.#tellSome();
  readonly #queue: Waiting[] = [];

  constructor(settings: RefusalsSettings = {}) {
    this.#settings = {
      perRound: 16,
      maxWaitMs: 1_000,
      now: () => performance.now(),
      nextRound: setImmediate,
      ...settings,
    };
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Resolves when it is time to tell. */
  wait(): Promise<void> {
    return new Promise((tell) => {
      this.#queue.push({ since: this.#settings.now(), tell });
      if (this.waiting === 1) this.#settings.nextRound(this.#round);
    });
  }

  #tellSome(): void {
    const { perRound, maxWaitMs, now, nextRound } = this.#settings;
    const latest = now() - maxWaitMs;
    let count = Math.min(perRound, this.#queue.length);
    while ((this.#queue[count]?.since ?? Infinity) <= latest) count++;
    for (const { tell } of this.#queue.splice(0, count)) tell();
    if (this.#queue.length > 0) nextRound(this.#round);
  }
}
