// Forgets the request log after its time, in a round that runs beside the requests and takes small steps.
import { wait } from '../shared/wait.ts';
import type { Store } from './store.ts';

export interface RequestRetentionSettings {
  store: Pick<Store, 'keepRequests'>;
  days: number;
  onError(error: unknown): void;
  intervalMs?: number;
}

const INTERVAL_MS = 600_000;
/** Between two steps others get to write. */
const BREATH_MS = 100;

export class RequestRetention {
  readonly #settings: RequestRetentionSettings;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopping = false;

  constructor(settings: RequestRetentionSettings) {
    this.#settings = settings;
  }

  /** The first round begins at once: the days to come may be missing. */
  start(): void {
    const begin = (): void => {
      this.#round ??= this.#keep().finally(() => {
        this.#round = undefined;
      });
    };
    this.#timer = setInterval(begin, this.#settings.intervalMs ?? INTERVAL_MS).unref();
    begin();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #keep(): Promise<void> {
    const { store, days, onError } = this.#settings;
    try {
      while (!this.#isStopping && (await store.keepRequests(days))) await wait(BREATH_MS);
    } catch (error) {
      onError(error);
    }
  }
}
