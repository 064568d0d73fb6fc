// Keeps a failing channel or key out of the way: opens when most calls of a short window fail, lets one call through
// after a pause, and closes when that probe succeeds.
import type { Clock } from '../shared/clock.ts';

export interface BreakerSettings {
  windowMs: number;
  /** Failures in the window, being at least half of its calls, that open it. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

export const CHANNEL_BREAKER: BreakerSettings = {
  windowMs: 10_000,
  failures: 5,
  firstPauseMs: 5_000,
  longestPauseMs: 60_000,
};

export class Breaker {
  readonly #clock: Clock;
  readonly #settings: BreakerSettings;
  #windowStart = 0;
  #calls = 0;
  #failures = 0;
  #openUntil = 0;
  #pauseMs: number;
  #probing = false;

  constructor(clock: Clock, settings: BreakerSettings = CHANNEL_BREAKER) {
    this.#clock = clock;
    this.#settings = settings;
    this.#pauseMs = settings.firstPauseMs;
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openUntil === 0) return 'closed';
    return this.#clock.now() < this.#openUntil ? 'open' : 'half-open';
  }

  /** Milliseconds until it may be asked again. */
  get waitMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.now());
  }

  /** May a call be made now? While half open only one at a time is. */
  get allows(): boolean {
    const { state } = this;
    return state === 'closed' || (state === 'half-open' && !this.#probing);
  }

  /** A call that was allowed begins. */
  begin(): void {
    if (this.#openUntil !== 0) this.#probing = true;
  }

  succeed(): void {
    this.#count();
    if (this.#openUntil === 0) return;
    this.#openUntil = 0;
    this.#probing = false;
    this.#pauseMs = this.#settings.firstPauseMs;
    this.#failures = 0;
    this.#calls = 0;
  }

  fail(): void {
    this.#count();
    this.#failures++;
    if (this.#openUntil !== 0) this.#openAgain();
    else if (this.#failures >= this.#settings.failures && this.#failures * 2 >= this.#calls) this.open(this.#pauseMs);
  }

  /** A call ended without telling anything of the upstream's health. */
  abandon(): void {
    this.#probing = false;
  }

  open(pauseMs: number): void {
    this.#openUntil = this.#clock.now() + pauseMs;
    this.#probing = false;
    this.#failures = 0;
    this.#calls = 0;
  }

  #openAgain(): void {
    this.#pauseMs = Math.min(this.#settings.longestPauseMs, this.#pauseMs * 2);
    this.open(this.#pauseMs);
  }

  #count(): void {
    const now = this.#clock.now();
    if (now - this.#windowStart > this.#settings.windowMs || now < this.#windowStart) {
      this.#windowStart = now;
      this.#calls = 0;
      this.#failures = 0;
    }
    this.#calls++;
  }
}
