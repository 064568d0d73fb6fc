// A configured upstream while the process runs: its keys in the clear, its breakers, the calls under way.
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import type { Clock } from '../shared/clock.ts';
import { SlidingWindow } from '../shared/sliding-window.ts';
import { Breaker } from './breaker.ts';

/** A key the upstream rejects is tried again now and then: operators repair keys without telling us. */
const KEY_OUT_MS = 300_000;

/** What operators read where an upstream wants no key: it may reject that, too. */
const NO_KEY_NAME = 'none';

export type KeyState = 'ready' | 'cooling' | 'rejected';

/** For operators. */
export interface ChannelState {
  channel_id: string;
  breaker: Breaker['state'];
  retry_ms: number;
  running: number;
  keys: { id: string; state: KeyState }[];
}

export class ChannelKey {
  readonly id: string;
  readonly secret: string;
  readonly breaker: Breaker;
  /** Asked to slow down until then (ms). */
  coolUntil = 0;

  constructor(id: string, secret: string, clock: Clock) {
    this.id = id;
    this.secret = secret;
    this.breaker = new Breaker(clock, {
      windowMs: 10_000,
      failures: 1,
      share: 0, // one refusal is enough, however well it served before
      firstPauseMs: KEY_OUT_MS,
      longestPauseMs: KEY_OUT_MS,
    });
  }

  state(now: number): KeyState {
    if (this.breaker.state !== 'closed') return 'rejected';
    return now < this.coolUntil ? 'cooling' : 'ready';
  }

  isUsable(now: number): boolean {
    return now >= this.coolUntil && this.breaker.allows;
  }
}

export class Channel {
  facts: ChannelFacts;
  keys: ChannelKey[];
  readonly breaker: Breaker;
  /** Calls under way; the process's own. */
  active = 0;
  readonly #clock: Clock;
  /** Calls of the last minute; the process's own. */
  readonly #calls = new SlidingWindow();
  #turn = 0;

  constructor(facts: ChannelFacts, keys: ChannelKey[], clock: Clock) {
    this.facts = facts;
    this.keys = keys;
    this.#clock = clock;
    this.breaker = new Breaker(clock);
  }

  health(now: number): ChannelState {
    return {
      channel_id: this.facts.id,
      breaker: this.breaker.state,
      retry_ms: this.breaker.waitMs,
      running: this.active,
      keys: this.keys.map((key) => ({ id: key.id === '' ? NO_KEY_NAME : key.id, state: key.state(now) })),
    };
  }

  /** As many calls as its options allow, at once or in a minute: it is passed over, not blamed. */
  get isFull(): boolean {
    const { concurrency } = this.facts.options;
    return (concurrency !== undefined && this.active >= concurrency) || this.roomMs > 0;
  }

  /** Milliseconds until its calls per minute allow another. */
  get roomMs(): number {
    const { rpm } = this.facts.options;
    return rpm === undefined ? 0 : this.#calls.wait(this.#clock.now(), rpm, 1);
  }

  /** Its provider wants a pause, and no key is left that could do without. */
  isLimited(now: number): boolean {
    return this.keys.some((key) => now < key.coolUntil) && !this.keys.some((key) => key.isUsable(now));
  }

  /** A call begins. */
  enter(): void {
    this.active++;
    if (this.facts.options.rpm !== undefined) this.#calls.add(this.#clock.now(), 1);
  }

  /** Usable keys take turns. */
  nextKey(now: number, except: readonly ChannelKey[]): ChannelKey | undefined {
    const { keys } = this;
    for (let step = 0; step < keys.length; step++) {
      const key = keys[(this.#turn + step) % keys.length];
      if (key === undefined || except.includes(key) || !key.isUsable(now)) continue;
      this.#turn = (this.#turn + step + 1) % keys.length;
      return key;
    }
    return undefined;
  }
}
