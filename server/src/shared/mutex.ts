// A lock for asynchronous code: first come, first served.
import { lagAwareTimeout } from './lag-aware-timeout.ts';

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
      const take = (): void => {
        callOff();
        resolve(true);
      };
      const callOff = lagAwareTimeout(ms, () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(false);
      });
      this.#waiting.push(take);
    });
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }
}
