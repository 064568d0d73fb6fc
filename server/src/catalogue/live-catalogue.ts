// The catalogue that requests look at now. A refresh replaces it whole; when loading fails the one before stays.
import { Mutex } from '../shared/mutex.ts';
import type { Catalogue } from './catalogue.ts';

export class LiveCatalogue {
  #current: Catalogue;
  readonly #load: () => Promise<Catalogue>;
  readonly #refreshing = new Mutex();

  private constructor(load: () => Promise<Catalogue>, first: Catalogue) {
    this.#load = load;
    this.#current = first;
  }

  static async open(load: () => Promise<Catalogue>): Promise<LiveCatalogue> {
    return new LiveCatalogue(load, await load());
  }

  get current(): Catalogue {
    return this.#current;
  }

  /** Resolves when everything committed before the call is in `current`. */
  async refresh(): Promise<void> {
    await this.#refreshing.lock(); // one after another, so that an older reading never replaces a newer one
    try {
      this.#current = await this.#load();
    } finally {
      this.#refreshing.unlock();
    }
  }
}
