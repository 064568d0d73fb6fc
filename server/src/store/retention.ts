// Forgets what has had its time, in rounds that run beside the requests and take small steps.
import { wait } from '../shared/wait.ts';

export interface RetentionSettings {
  /** True when there is more to forget. */
  step(): Promise<boolean>;
  onError(error: unknown): void;
  intervalMs?: number;
}

const INTERVAL_MS = 600_000;
/** Between two steps others get to write. */
const BREATH_MS = 100;

export class Retention {
  readonly #settings: RetentionSettings;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopping = false;

  constructor(settings: RetentionSettings) {
    this.#settings = settings;
  }

  /** The first round begins at once: partitions for the time to come may be missing. */
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
    try {
      while (!this.#isStopping && (await this.#settings.step())) await wait(BREATH_MS);
    } catch (error) {
      this.#settings.onError(error);
    }
  }
}
