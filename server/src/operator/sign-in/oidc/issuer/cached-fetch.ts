// Something fetched that is good for a while: asked for once by however many want it, and a failure too is repeated for
// a moment before it is tried again.
import type { Clock } from '../../../../shared/clock.ts';

export class CachedFetch<T> {
  readonly #fetch: () => Promise<T>;
  readonly #keepMs: { good: number; bad: number };
  readonly #clock: Clock;
  #last: { value: Promise<T>; until: number } | undefined;
  #fetching: Promise<T> | undefined;

  constructor(fetch: () => Promise<T>, keepMs: { good: number; bad: number }, clock: Clock) {
    this.#fetch = fetch;
    this.#keepMs = keepMs;
    this.#clock = clock;
  }

  get(): Promise<T> {
    if (this.#last !== undefined && this.#clock.now() < this.#last.until) return this.#last.value;
    return this.renew();
  }

  renew(): Promise<T> {
    this.#fetching ??= this.#remember(this.#fetch());
    return this.#fetching;
  }

  async #remember(value: Promise<T>): Promise<T> {
    const [outcome] = await Promise.allSettled([value]);
    const keep = outcome.status === 'fulfilled' ? this.#keepMs.good : this.#keepMs.bad;
    this.#last = { value, until: this.#clock.now() + keep };
    this.#fetching = undefined;
    return value;
  }
}
