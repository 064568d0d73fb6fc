// Whose calls failed in a short window: one account's failures say little of an upstream, since they may be made on
// purpose. Counts nothing as long as nothing fails.
import type { Clock } from '../shared/clock.ts';
import { RecentAccounts } from './recent-accounts.ts';

interface Seen {
  calls: number;
  failures: number;
}

export class FailureWitnesses {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #accounts = new RecentAccounts<Seen>();
  #windowStart = 0;
  #calls = 0;
  #failures = 0;

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  succeed(account: string): void {
    if (this.#accounts.size === 0) return;
    this.#calls++;
    const seen = this.#accounts.get(account);
    if (seen !== undefined) seen.calls++;
  }

  fail(account: string): void {
    const now = this.#clock.now();
    if (now - this.#windowStart > this.#windowMs || now < this.#windowStart) this.forget(now);
    const seen = this.#accounts.get(account) ?? { calls: 0, failures: 0 };
    seen.calls++;
    seen.failures++;
    this.#calls++;
    this.#failures++;
    this.#accounts.set(account, seen);
  }

  forget(now: number): void {
    this.#windowStart = now;
    this.#accounts.clear();
    this.#calls = 0;
    this.#failures = 0;
  }

  /** Do calls of others fail like those of the account that fails most, and at least half of them? */
  get agree(): boolean {
    let most: Seen = { calls: 0, failures: 0 };
    for (const [, seen] of this.#accounts.entries()) if (seen.failures > most.failures) most = seen;
    const failures = this.#failures - most.failures;
    return failures > 0 && 2 * failures >= this.#calls - most.calls;
  }
}
