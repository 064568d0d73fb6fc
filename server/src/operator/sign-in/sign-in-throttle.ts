// Slows down guessing: failed sign-ins are counted per name and per socket address. Forwarding headers are not read, so
// they cannot reset anything.
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Clock } from '../../shared/clock.ts';

const WINDOW_MS = 15 * 60 * 1000;
const PER_NAME = 10;
/** Higher, because operators may share a proxy's address. */
const PER_ADDRESS = 30;
const MAXIMUM_KEYS = 10_000;

export class SignInThrottle {
  readonly #clock: Clock;
  /** Times of failures, oldest first; keys in the order of their latest failure. */
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts as a failure until `succeed` says otherwise, so that parallel guesses are counted too. */
  begin(name: string, address: string): void {
    const now = this.#clock.now();
    this.#refuse(`name ${name}`, PER_NAME, now);
    this.#refuse(`address ${address}`, PER_ADDRESS, now);
    this.#add(`name ${name}`, now);
    this.#add(`address ${address}`, now);
    this.#forgetOldest();
  }

  /** The name starts afresh; the address only gets its last try back, or one good account would cover for many guesses. */
  succeed(name: string, address: string): void {
    this.#failures.delete(`name ${name}`);
    this.#failures.get(`address ${address}`)?.pop();
  }

  #refuse(key: string, limit: number, now: number): void {
    const recent = (this.#failures.get(key) ?? []).filter((time) => time > now - WINDOW_MS);
    const decisive = recent.at(-limit);
    if (decisive === undefined) return;
    throw new GatewayError('rate_limit_exceeded', {
      message: 'Too many failed sign-ins. Wait before trying again.',
      retryAfter: Math.max(1, Math.ceil((decisive + WINDOW_MS - now) / 1000)),
    });
  }

  #add(key: string, now: number): void {
    const recent = (this.#failures.get(key) ?? []).filter((time) => time > now - WINDOW_MS);
    this.#failures.delete(key);
    this.#failures.set(key, [...recent, now]);
  }

  #forgetOldest(): void {
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= MAXIMUM_KEYS) return;
      this.#failures.delete(key);
    }
  }
}
