// Logs errors of work that is tried again several times a second: the first one at once, then one in half a minute with the
// number of those between. While the store is away the log stays readable, and says so as long as it lasts.
import type { Clock } from '../shared/clock.ts';
import type { Logger } from './logger.ts';

const QUIET_MS = 30_000;
/** Words may name a task, so there is no end of them. */
const MOST_WORDS = 1_000;

export class ThrottledErrors {
  readonly #logger: Pick<Logger, 'error'>;
  /** Steady. */
  readonly #clock: Clock;
  readonly #reported = new Map<string, { at: number; untold: number }>();

  constructor(logger: Pick<Logger, 'error'>, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  tell(error: unknown, words: string): void {
    const now = this.#clock.now();
    const last = this.#reported.get(words);
    if (last !== undefined && now - last.at < QUIET_MS) {
      last.untold++;
      return;
    }
    const untold = last?.untold ?? 0;
    this.#logger.error(untold === 0 ? { error } : { error, untold }, words);
    if (this.#reported.size >= MOST_WORDS) this.#reported.clear();
    this.#reported.set(words, { at: now, untold: 0 });
  }
}
