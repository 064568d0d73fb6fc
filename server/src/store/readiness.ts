// Whether the store answers and takes writes. It is asked at most once a second however many ask: probes cannot be used to load it (promise
// O-09).
import type { Clock } from '../shared/clock.ts';
import { within } from '../shared/wait.ts';
import type { Store } from './store.ts';

const FRESH_MS = 1_000;
const TIMEOUT_MS = 2_000;

export class Readiness {
  readonly #store: Pick<Store, 'ping' | 'writeProblem'>;
  /** Steady. */
  readonly #clock: Clock;
  #last: { at: number; ready: boolean } | undefined;
  /** What everybody waits for who asks meanwhile. */
  #looking: Promise<boolean> | undefined;

  constructor(store: Pick<Store, 'ping' | 'writeProblem'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Why not, in a few words. The last write, the heartbeat's at the latest, tells more than a look (contract-2 10). */
  async whyNot(): Promise<string | undefined> {
    if (!(await this.isReady())) return 'the database does not answer';
    const problem = this.#store.writeProblem();
    return problem === undefined ? undefined : `the last write failed: ${problem}`;
  }

  async isReady(): Promise<boolean> {
    const last = this.#last;
    if (last !== undefined && this.#clock.now() - last.at < FRESH_MS) return last.ready;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    let ready = false;
    const asked = this.#store.ping().then(() => {
      ready = true;
    });
    await within(TIMEOUT_MS, asked);
    this.#last = { at: this.#clock.now(), ready };
    return ready;
  }
}
