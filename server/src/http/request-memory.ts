// What one request, or one line of a batch, has of the budget for bodies: asked for in parts, given up together.
import type { Release } from '../shared/reserve-memory.ts';
import { type BodyBudget, type Holder, tooMany } from './body-budget.ts';

/** What takes no more than this is not worth a queue. */
export const FREE_BYTES = 1024 * 1024;
/** So long one waits for others. */
const WAIT_MS = 30_000;

export class RequestMemory {
  readonly #budget: BodyBudget;
  readonly #holder: Holder;
  readonly #releases: Release[] = [];
  #ended = false;

  constructor(budget: BodyBudget, holder: Omit<Holder, 'held'>) {
    this.#budget = budget;
    this.#holder = { ...holder, held: 0 };
  }

  /** Beside what it has. `gone` ends the wait. */
  async acquire(bytes: number, { lasting = bytes, gone = new AbortController() } = {}): Promise<Release> {
    const late = setTimeout(() => gone.abort(tooMany()), WAIT_MS);
    try {
      const asked = { holder: this.#holder, lasting, signal: gone.signal };
      const release = await this.#budget.acquire(bytes, asked);
      if (this.#ended) release();
      else this.#releases.push(release);
      return release;
    } finally {
      clearTimeout(late);
    }
  }

  /** The same, for what nobody leaves. */
  async reserve(bytes: number, lasting = bytes): Promise<Release> {
    return bytes <= FREE_BYTES ? () => {} : this.acquire(bytes, { lasting });
  }

  end(): void {
    this.#ended = true;
    for (const release of this.#releases.splice(0)) release();
  }
}
