// Keeps a failing channel out: for the account whose calls fail; for everybody when calls of a second account fail too, or
// at once when the upstream cannot be connected to. So no account can take a channel from the others.
import type { Clock } from '../shared/clock.ts';
import { Breaker, type BreakerTicket, CHANNEL_BREAKER } from './breaker.ts';
import { FailureWitnesses } from './failure-witnesses.ts';
import { RecentAccounts } from './recent-accounts.ts';

/** A call that began: ends with succeed, fail or abandon. */
export interface ChannelTicket {
  readonly account: string;
  readonly shared: BreakerTicket;
  readonly own: BreakerTicket | undefined;
}

interface OwnBreaker {
  breaker: Breaker;
  /** How many calls of the channel had succeeded when it last failed. */
  successes: number;
}

/** A restart of an upstream is short; while no connection can be made the pause doubles as usual. */
const CONNECT_PAUSE_MS = 1_000;

export class ChannelBreaker {
  readonly #clock: Clock;
  readonly #shared: Breaker;
  readonly #own = new RecentAccounts<OwnBreaker>();
  readonly #witnesses: FailureWitnesses;
  #successes = 0;
  /** Whose call was the last probe for everybody that failed. */
  #lastProber: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#shared = new Breaker(clock);
    this.#witnesses = new FailureWitnesses(clock, CHANNEL_BREAKER.windowMs);
  }

  allows(account: string): boolean {
    return this.#shared.allows && this.#own.get(account)?.breaker.allows !== false;
  }

  /** Milliseconds until this account may ask again. */
  waitMs(account: string): number {
    return Math.max(this.#shared.waitMs, this.#own.get(account)?.breaker.waitMs ?? 0);
  }

  begin(account: string): ChannelTicket {
    return { account, shared: this.#shared.begin(), own: this.#own.get(account)?.breaker.begin() };
  }

  succeed({ account, shared, own }: ChannelTicket): void {
    this.#successes++;
    this.#shared.succeed(shared);
    if (this.#own.size === 0) return;
    if (own !== undefined) this.#own.get(account)?.breaker.succeed(own);
    this.#witnesses.succeed(account);
  }

  fail(ticket: ChannelTicket, { cannotConnect = false } = {}): void {
    const { account, shared } = ticket;
    const wasProbe = this.#shared.isProbe(shared);
    if (!cannotConnect) {
      this.#failOwn(ticket, wasProbe);
      this.#witnesses.fail(account);
    }
    // The probes of one account cannot make the pause longer for the others.
    const grows = cannotConnect || account !== this.#lastProber;
    this.#shared.fail(shared, { mayOpen: this.#witnesses.agree, grows });
    if (wasProbe) this.#lastProber = account;
    if (cannotConnect) this.#shared.trip(CONNECT_PAUSE_MS);
    else if (this.#isDownFor(account)) this.#shared.trip();
  }

  /** The call ended without telling anything of the upstream's health. */
  abandon({ account, shared, own }: ChannelTicket): void {
    this.#shared.abandon(shared);
    if (own !== undefined) this.#own.get(account)?.breaker.abandon(own);
  }

  /** For operators: also open where all who ask are kept out, and nobody has had an answer since. */
  get state(): Breaker['state'] {
    if (this.#shared.state !== 'closed') return this.#shared.state;
    let state: Breaker['state'] = 'closed';
    for (const [, own] of this.#own.entries()) {
      if (own.successes !== this.#successes) continue;
      if (own.breaker.state === 'open') return 'open';
      if (own.breaker.state === 'half-open') state = 'half-open';
    }
    return state;
  }

  /** Milliseconds until somebody may ask again, when open. */
  get retryMs(): number {
    if (this.#shared.waitMs > 0 || this.state !== 'open') return this.#shared.waitMs;
    return Math.min(...[...this.#own.entries()].map(([, { breaker }]) => breaker.waitMs).filter((ms) => ms > 0));
  }

  /** Accounts that are kept out while others are not. */
  get accountsOut(): number {
    return [...this.#own.entries()].filter(([, { breaker }]) => breaker.state === 'open').length;
  }

  #failOwn({ account, own: ticket }: ChannelTicket, wasProbe: boolean): void {
    const own = this.#own.get(account) ?? { breaker: new Breaker(this.#clock), successes: 0 };
    own.successes = this.#successes;
    this.#own.set(account, own);
    if (ticket !== undefined) own.breaker.fail(ticket);
    else if (own.breaker.state === 'closed') own.breaker.fail(own.breaker.begin());
    // An account whose probe failed leaves the next probe to others.
    if (wasProbe) own.breaker.trip(2 * CHANNEL_BREAKER.firstPauseMs);
  }

  /** Is another account kept out, and has nobody had an answer since it failed? */
  #isDownFor(account: string): boolean {
    return this.#own.someOther(
      account,
      ({ breaker, successes }) => successes === this.#successes && breaker.state !== 'closed',
    );
  }
}
