// The way of one request through its candidates: hands out one after another, remembers who failed, and knows in the end
// why nobody was left.
import type { FailureClass } from '../errors/failure-class.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Clock } from '../shared/clock.ts';
import type { BreakerTicket } from './breaker.ts';
import type { Channel, ChannelKey } from './channel.ts';
import { failureMeanings } from './failover.ts';

export interface Candidate {
  channel: Channel;
  key: ChannelKey;
}

interface Attempt extends Candidate {
  channelTicket: BreakerTicket;
  keyTicket: BreakerTicket;
}

export interface RouteParts {
  clock: Clock;
  random: () => number;
}

const DEFAULT_COOL_SECONDS = 2;

export class Route {
  readonly #channels: readonly Channel[];
  readonly #clock: Clock;
  readonly #random: () => number;
  // Most requests are answered by the first who is asked: lists that stay empty cost nothing to look through.
  readonly #excludedChannels: Channel[] = [];
  readonly #excludedKeys: ChannelKey[] = [];
  readonly #failures: FailureClass[] = [];
  #current: Attempt | undefined;

  constructor(channels: readonly Channel[], parts: RouteParts) {
    this.#channels = channels;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** Does none of the model's channels do what is asked for, up or down? */
  get isUnfit(): boolean {
    return this.#channels.length === 0;
  }

  /** The longest that any one candidate may take. */
  get longestSeconds(): number {
    let longestMs = 0;
    for (const { facts } of this.#channels) longestMs = Math.max(longestMs, facts.options.totalMs);
    return Math.ceil(longestMs / 1000);
  }

  /** Is there nobody to ask, now or at all? */
  get isBarren(): boolean {
    const now = this.#clock.now();
    return !this.#channels.some(
      (channel) => channel.breaker.allows && !channel.isFull && channel.keys.some((key) => key.isUsable(now)),
    );
  }

  /** The next candidate that was not asked yet; undefined when nobody is left. Ends with succeed, fail or abandon. */
  next(): Candidate | undefined {
    const now = this.#clock.now();
    for (;;) {
      const channel = this.#pick(
        this.#channels.filter((one) => !this.#excludedChannels.includes(one) && one.breaker.allows && !one.isFull),
      );
      if (channel === undefined) return undefined;
      const key = channel.nextKey(now, this.#excludedKeys);
      if (key === undefined) {
        this.#excludedChannels.push(channel);
        continue;
      }
      channel.enter();
      this.#current = { channel, key, channelTicket: channel.breaker.begin(), keyTicket: key.breaker.begin() };
      return this.#current;
    }
  }

  /** The upstream answered; the call may still be under way. */
  succeed(): void {
    const current = this.#current;
    if (current === undefined) return;
    current.channel.breaker.succeed(current.channelTicket);
    current.key.breaker.succeed(current.keyTicket);
  }

  /** The attempt failed. Says whether another candidate may be asked. */
  fail(failure: FailureClass, retryAfter: number | undefined): boolean {
    const current = this.#current;
    if (current === undefined) return false;
    const { channel, key, channelTicket, keyTicket } = current;
    const { next, blame } = failureMeanings[failure];
    this.#failures.push(failure);
    if (blame === 'channel') channel.breaker.fail(channelTicket);
    if (blame === 'key') key.breaker.fail(keyTicket);
    if (blame === 'key-limit') key.coolUntil = this.#clock.now() + 1000 * (retryAfter ?? DEFAULT_COOL_SECONDS);
    if (next === 'key') this.#excludedKeys.push(key);
    if (next === 'channel') this.#excludedChannels.push(channel);
    return next !== 'stop';
  }

  /** The call is over, however it ended: its place in the channel is free again. */
  finish(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    current.channel.active--;
    current.channel.breaker.abandon(current.channelTicket); // nothing where a verdict was given
    current.key.breaker.abandon(current.keyTicket);
  }

  /** Why nobody is left (contract 4), of a route that is not unfit. */
  exhausted(): GatewayError {
    const failures = this.#failures;
    const all = (failure: FailureClass): boolean => failures.every((one) => one === failure);
    if (failures.length === 0) return this.#nobodyToAsk();
    if (all('limited')) return new GatewayError('upstream_rate_limited', { retryAfter: this.#secondsUntilUsable() });
    if (all('timed-out')) return new GatewayError('upstream_timeout');
    return new GatewayError('upstream_error');
  }

  #nobodyToAsk(): GatewayError {
    const now = this.#clock.now();
    const retryAfter = this.#secondsUntilUsable();
    const isLimited = this.#channels.every((channel) => channel.isLimited(now));
    return new GatewayError(isLimited ? 'upstream_rate_limited' : 'no_channel_available', { retryAfter });
  }

  #secondsUntilUsable(): number {
    const now = this.#clock.now();
    const waits = this.#channels.flatMap((channel) =>
      channel.keys.map((key) =>
        Math.max(channel.roomMs, channel.breaker.waitMs, key.breaker.waitMs, key.coolUntil - now),
      ),
    );
    return Math.max(1, Math.ceil(Math.min(60_000, ...waits) / 1000));
  }

  /** Among the highest priority present, by weight. */
  #pick(usable: Channel[]): Channel | undefined {
    const first = usable[0];
    if (first === undefined || usable.length === 1) return first;
    const tier = usable.filter((channel) => channel.facts.priority === first.facts.priority);
    const total = tier.reduce((sum, channel) => sum + channel.facts.weight, 0);
    let mark = this.#random() * total;
    for (const channel of tier) {
      mark -= channel.facts.weight;
      if (mark < 0) return channel;
    }
    return tier[0];
  }
}
