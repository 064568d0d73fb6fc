// A few things that each serve one user at a time: first come, first served, and nobody waits without end.
export class ReaderQueue<T> {
  readonly #waitMs: number;
  readonly #free: T[];
  readonly #waiting: ((one: T | undefined) => void)[] = [];

  constructor(members: readonly T[], waitMs: number) {
    this.#free = [...members];
    this.#waitMs = waitMs;
  }

  /** Undefined when none became free in time. The one that was used last comes first. */
  take(): Promise<T | undefined> {
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    return new Promise((resolve) => {
      const serve = (one: T | undefined): void => {
        clearTimeout(timer);
        resolve(one);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(serve), 1);
        serve(undefined);
      }, this.#waitMs);
      this.#waiting.push(serve);
    });
  }

  giveBack(one: T): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(one);
    else next(one);
  }
}
