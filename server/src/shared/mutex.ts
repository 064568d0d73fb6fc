// A lock for asynchronous code: first come, first served.
export class Mutex {
  #locked = false;
  readonly #waiting: (() => void)[] = [];

  lock(): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** False when it was not free in time. */
  lockWithin(ms: number): Promise<boolean> {
    if (!this.#locked) {
      this.#locked = true;
      return Promise.resolve(true);
    }
    if (ms <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      let lastLook: NodeJS.Immediate | undefined;
      const take = (): void => {
        clearTimeout(limit);
        clearImmediate(lastLook);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(false);
      };
      // A loop that was held up may have heard of the time before it hears of whoever is done.
      const limit = setTimeout(() => {
        lastLook = setImmediate(giveUp);
      }, ms);
      this.#waiting.push(take);
    });
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }
}
