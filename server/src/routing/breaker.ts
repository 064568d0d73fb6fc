// Keeps what fails out of the way: opens when most calls of a short window fail, lets one call through after a pause, and
// closes when that probe succeeds. Calls that were under way when it opened change nothing any more.
import type { Clock } from '../shared/clock.ts';

export interface BreakerSettings {
  windowMs: number;
  /** Failures in the window that open it, if they are at least this share of its calls. */
  failures: number;
  share: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** A call that began: what it says in the end counts only if the breaker is still as it was then. */
export interface BreakerTicket {
  readonly era: number;
}

/** What a failure may do. */
export interface FailureWeight {
  /** Whether it may open the breaker; it counts in either case. */
  mayOpen?: boolean;
  /** Whether the failure of a probe doubles the pause. */
  grows?: boolean;
}

export const CHANNEL_BREAKER: BreakerSettings = {
  windowMs: 10_000,
  failures: 5,
  share: 0.5,
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
  #probe: BreakerTicket | undefined;
  /** Everyone who begins between two openings shares a ticket; the probe has one of its own. */
  #ticket: BreakerTicket = { era: 0 };

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
    return state === 'closed' || (state === 'half-open' && this.#probe === undefined);
  }

  /** A call that was allowed begins; it ends with succeed, fail or abandon. */
  begin(): BreakerTicket {
    if (this.#openUntil === 0) return this.#ticket;
    this.#probe = { era: this.#ticket.era };
    return this.#probe;
  }

  succeed(ticket: BreakerTicket): void {
    if (ticket === this.#probe) this.#close();
    else if (this.#counts(ticket)) this.#count();
  }

  fail(ticket: BreakerTicket, { mayOpen = true, grows = true }: FailureWeight = {}): void {
    if (ticket === this.#probe) {
      if (grows) this.#pauseMs = Math.min(this.#settings.longestPauseMs, this.#pauseMs * 2);
      this.#open();
    } else if (this.#counts(ticket)) {
      this.#count();
      this.#failures++;
      const isMost = this.#failures >= this.#settings.failures && this.#failures >= this.#settings.share * this.#calls;
      if (mayOpen && isMost) this.#open();
    }
  }

  /** Opens at once where it is closed, for this pause at first. */
  trip(pauseMs: number = this.#settings.firstPauseMs): void {
    if (this.#openUntil !== 0) return;
    this.#pauseMs = pauseMs;
    this.#open();
  }

  isProbe(ticket: BreakerTicket): boolean {
    return ticket === this.#probe;
  }

  /** The call ended without telling anything of the upstream's health. */
  abandon(ticket: BreakerTicket): void {
    if (ticket === this.#probe) this.#probe = undefined;
  }

  #counts(ticket: BreakerTicket): boolean {
    return this.#openUntil === 0 && ticket === this.#ticket;
  }

  #open(): void {
    this.#openUntil = this.#clock.now() + this.#pauseMs;
    this.#reset();
  }

  #close(): void {
    this.#openUntil = 0;
    this.#pauseMs = this.#settings.firstPauseMs;
    this.#reset();
  }

  #reset(): void {
    this.#probe = undefined;
    this.#ticket = { era: this.#ticket.era + 1 };
    this.#failures = 0;
    this.#calls = 0;
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
