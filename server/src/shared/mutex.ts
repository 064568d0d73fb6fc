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

  unlock(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }
}
