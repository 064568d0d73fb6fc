// A configured upstream while the process runs: its keys in the clear, its breaker, the calls under way, and how
// they ended.
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import type { Clock } from '../shared/clock.ts';
import { SlidingWindow } from '../shared/sliding-window.ts';
import type { Breaker } from './breaker.ts';
import { CallRecords } from './call-record.ts';
import { ChannelBreaker } from './channel-breaker.ts';
import type { ChannelKey, KeyState } from './channel-key.ts';

/** What operators read where an upstream wants no key: it may reject that, too. */
const NO_KEY_NAME = 'none';

/** For operators. */
export interface ChannelState {
  channel_id: string;
  breaker: Breaker['state'];
  retry_ms: number;
  running: number;
  /** Accounts that are kept out on their own. */
  accounts_out: number;
  keys: { id: string; state: KeyState; reason: string | null }[];
}

/** Whose call it is (routing/route.ts). */
interface NextAsker {
  account: string;
  mayUseDisabled?: boolean;
}

export class Channel {
  facts: ChannelFacts;
  keys: ChannelKey[];
  readonly breaker: ChannelBreaker;
  readonly record = new CallRecords();
  /** Calls under way; the process's own. */
  active = 0;
  readonly #clock: Clock;
  /** Calls of the last minute; the process's own. */
  readonly #calls = new SlidingWindow();
  #next = 0;

  constructor(facts: ChannelFacts, keys: ChannelKey[], clock: Clock) {
    this.facts = facts;
    this.keys = keys;
    this.#clock = clock;
    this.breaker = new ChannelBreaker(clock);
  }

  /** Those that no operator has set aside. */
  get keysInUse(): ChannelKey[] {
    return this.keys.filter(({ isDisabled }) => !isDisabled);
  }

  health(now: number): ChannelState {
    return {
      channel_id: this.facts.id,
      breaker: this.breaker.state,
      retry_ms: this.breaker.retryMs,
      running: this.active,
      accounts_out: this.breaker.accountsOut,
      keys: this.keysInUse.map((key) => ({
        id: key.id === '' ? NO_KEY_NAME : key.id,
        state: key.state(now),
        reason: key.isOut(now) ? (key.out?.reason ?? null) : (key.suspicion(now) ?? null),
      })),
    };
  }

  /** As many calls as its options allow, at once or in a minute: it is passed over, not blamed. */
  get isFull(): boolean {
    const { concurrency } = this.facts.options;
    return (concurrency !== undefined && this.active >= concurrency) || this.capacityMs > 0;
  }

  /** Milliseconds until its calls per minute allow another. */
  get capacityMs(): number {
    const { rpm } = this.facts.options;
    return rpm === undefined ? 0 : this.#calls.wait(this.#clock.now(), rpm, 1);
  }

  /** Its provider wants a pause, and no key is left that could do without. */
  isLimited(now: number, account: string): boolean {
    const keys = this.keysInUse;
    return keys.some((key) => now < key.coolUntil(account)) && !keys.some((key) => key.isUsable(now, account));
  }

  /** A call begins. */
  enter(): void {
    this.active++;
    if (this.facts.options.rpm !== undefined) this.#calls.add(this.#clock.now(), 1);
  }

  /** Usable keys take turns. */
  nextKey(
    now: number,
    { account, mayUseDisabled = false }: NextAsker,
    except: readonly ChannelKey[],
  ): ChannelKey | undefined {
    const { keys } = this;
    for (let step = 0; step < keys.length; step++) {
      const key = keys[(this.#next + step) % keys.length];
      if (key === undefined || except.includes(key) || !key.isUsable(now, account)) continue;
      if (key.isDisabled && !mayUseDisabled) continue;
      this.#next = (this.#next + step + 1) % keys.length;
      return key;
    }
    return undefined;
  }
}
