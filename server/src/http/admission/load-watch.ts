// Looks at how this process bears its load, and only while it has any: an idle process sleeps. A request only notes that
// it came.
export interface LoadWatchSettings {
  /** After a rest, in which so many samples were left out. */
  onBegin(now: number, missed: number): void;
  /** Called with how many milliseconds each look came too late. */
  onLook(lateMs: number): void;
  onSample(now: number): void;
  /** Until the next request there is nothing to see. */
  isAtRest(): boolean;
  now?(): number;
}

const LOOK_MS = 10;
export const SAMPLE_MS = 100;
/** Without a request. */
const REST_MS = 2_000;

export class LoadWatch {
  readonly #settings: LoadWatchSettings;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #hasArrivals = false;
  #lastArrival = 0;
  #lastLook = 0;
  #lastSample = 0;

  constructor(settings: LoadWatchSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
  }

  /** For every request. */
  arrived(): void {
    this.#hasArrivals = true;
    if (this.#timer === undefined) this.#begin();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    const now = this.#now();
    const missed = Math.floor((now - this.#lastSample) / SAMPLE_MS);
    [this.#lastLook, this.#lastSample] = [now, now];
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#settings.onBegin(now, missed);
  }

  #look(): void {
    const now = this.#now();
    this.#settings.onLook(Math.max(0, now - this.#lastLook - LOOK_MS));
    this.#lastLook = now;
    if (now - this.#lastSample < SAMPLE_MS) return;
    this.#lastSample = now;
    this.#settings.onSample(now);
    if (this.#hasArrivals) this.#lastArrival = now;
    this.#hasArrivals = false;
    if (now - this.#lastArrival >= REST_MS && this.#settings.isAtRest()) this.stop();
  }
}
