// The way of one request through its candidates: hands out one after another, remembers who failed, and knows in the end
// why nobody was left.
import type { FailureClass } from '../errors/failure-class.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Clock } from '../shared/clock.ts';
import type { ChannelTicket } from './channel-breaker.ts';
import type { ChannelKey } from './channel-key.ts';
import type { Channel } from './channel.ts';
import { type FailureFacts, failureMeanings } from './failover.ts';

export interface Candidate {
  channel: Channel;
  key: ChannelKey;
}

interface Attempt extends Candidate {
  ticket: ChannelTicket;
  startedAt: number;
  /** Milliseconds until it answered. */
  answeredIn: number | undefined;
}

/** Hears of keys that the upstream refuses. */
export interface KeyWatcher {
  /** One account's call was refused: whether the key works is to be found out. */
  suspected(channel: Channel, key: ChannelKey): void;
  /** It is out for everybody. */
  takenOut(channel: Channel, key: ChannelKey): void;
}

export interface RouteDependencies {
  clock: Clock;
  random: () => number;
  watcher?: KeyWatcher | undefined;
}

/** Who asks, and for what. */
export interface Asker {
  /** Empty where the gateway asks for itself. */
  account: string;
  model: string;
  /** Asks for what a channel key keeps, which is nowhere else: one that was set aside answers too. */
  mayUseDisabled?: boolean;
}

const NOBODY: Asker = { account: '', model: '' };

const DEFAULT_COOL_SECONDS = 2;

export class Route {
  readonly #channels: readonly Channel[];
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #watcher: KeyWatcher | undefined;
  readonly #asker: Asker;
  // Most requests are answered by the first who is asked: lists that stay empty cost nothing to look through.
  readonly #excludedChannels: Channel[] = [];
  readonly #excludedKeys: ChannelKey[] = [];
  readonly #failures: FailureClass[] = [];
  #current: Attempt | undefined;
  /** One request blames one key at most: it may itself be what every key is refused for. */
  #hasBlamedKey = false;

  constructor(channels: readonly Channel[], dependencies: RouteDependencies, asker: Asker = NOBODY) {
    this.#channels = channels;
    this.#clock = dependencies.clock;
    this.#random = dependencies.random;
    this.#watcher = dependencies.watcher;
    this.#asker = asker;
  }

  /** Does none of the model's channels do what is asked for, up or down? */
  get isUnsupported(): boolean {
    return this.#channels.length === 0;
  }

  /** The longest that any one candidate may take. */
  get longestSeconds(): number {
    let longestMs = 0;
    for (const { facts } of this.#channels) longestMs = Math.max(longestMs, facts.options.totalMs);
    return Math.ceil(longestMs / 1000);
  }

  /** Is there no channel with a key that may be asked now? */
  get hasNoUsableChannel(): boolean {
    const now = this.#clock.now();
    const { account } = this.#asker;
    return !this.#channels.some(
      (channel) =>
        channel.breaker.allows(account) &&
        !channel.isFull &&
        channel.keys.some((key) => !key.isDisabled && key.isUsable(now, account)),
    );
  }

  /** The next candidate that was not asked yet; undefined when nobody is left. Ends with succeed, fail or abandon. */
  next(): Candidate | undefined {
    const now = this.#clock.now();
    const { account } = this.#asker;
    for (;;) {
      const channel = this.#pick(
        this.#channels.filter(
          (one) => !this.#excludedChannels.includes(one) && one.breaker.allows(account) && !one.isFull,
        ),
      );
      if (channel === undefined) return undefined;
      const key = channel.nextKey(now, this.#asker, this.#excludedKeys);
      if (key === undefined) {
        this.#excludedChannels.push(channel);
        continue;
      }
      channel.enter();
      const ticket = channel.breaker.begin(account);
      this.#current = { channel, key, ticket, startedAt: now, answeredIn: undefined };
      return this.#current;
    }
  }

  /** Who is being asked. */
  get current(): Candidate | undefined {
    return this.#current;
  }

  /** The upstream answered; the call may still be under way. */
  succeed(): void {
    const current = this.#current;
    if (current === undefined) return;
    const now = this.#clock.now();
    const { channel, key, ticket } = current;
    current.answeredIn = now - current.startedAt;
    channel.breaker.succeed(ticket);
    key.succeed(this.#asker.model);
    channel.record.of(key.id).succeed(current.answeredIn, now);
  }

  /** The attempt failed. Says whether another candidate may be asked. */
  fail(failure: FailureClass, retryAfter: number | undefined, facts: FailureFacts = {}): boolean {
    const current = this.#current;
    if (current === undefined) return false;
    const { channel, key } = current;
    const { next, blame } = failureMeanings[failure];
    this.#failures.push(failure);
    if (blame !== 'none') this.#note(current, failure, facts);
    if (blame === 'channel') channel.breaker.fail(current.ticket, facts);
    if (blame === 'key' && facts.about !== 'model') this.#blameKey(current, facts.message ?? failure);
    if (blame === 'key-limit') this.#limitKey(key, retryAfter ?? DEFAULT_COOL_SECONDS);
    if (next === 'key') this.#excludedKeys.push(key);
    if (next === 'channel') this.#excludedChannels.push(channel);
    return next !== 'stop';
  }

  /** The call is over, however it ended: its slot in the channel is free again. */
  finish(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    current.channel.active--;
    current.channel.breaker.abandon(current.ticket); // nothing where a verdict was given
  }

  /** Why nobody is left (contract 4), of a route whose operation is supported. */
  exhausted(): GatewayError {
    const failures = this.#failures;
    const all = (failure: FailureClass): boolean => failures.every((one) => one === failure);
    if (failures.length === 0) return this.#nobodyToAsk();
    if (all('limited')) return new GatewayError('upstream_rate_limited', { retryAfter: this.#secondsUntilUsable() });
    if (all('timed-out')) return new GatewayError('upstream_timeout');
    return new GatewayError('upstream_error');
  }

  #note({ channel, key, answeredIn }: Attempt, errorClass: FailureClass, { status, message }: FailureFacts): void {
    const record = channel.record.of(key.id);
    if (answeredIn !== undefined) record.unsucceed(answeredIn);
    record.fail({ at: this.#clock.now(), errorClass, status: status ?? null, message: message ?? errorClass });
  }

  #blameKey({ channel, key }: Attempt, reason: string): void {
    if (this.#hasBlamedKey) return;
    this.#hasBlamedKey = true;
    const now = this.#clock.now();
    if (key.isOut(now)) return;
    if (key.refuse(this.#asker.account, now, reason)) this.#watcher?.takenOut(channel, key);
    this.#watcher?.suspected(channel, key);
  }

  #limitKey(key: ChannelKey, seconds: number): void {
    const now = this.#clock.now();
    key.limit(this.#asker.account, { now, until: now + 1000 * seconds, isShared: !this.#hasBlamedKey });
    this.#hasBlamedKey = true;
  }

  #nobodyToAsk(): GatewayError {
    const now = this.#clock.now();
    const retryAfter = this.#secondsUntilUsable();
    const isLimited = this.#channels.every((channel) => channel.isLimited(now, this.#asker.account));
    return new GatewayError(isLimited ? 'upstream_rate_limited' : 'no_channel_available', { retryAfter });
  }

  #secondsUntilUsable(): number {
    const now = this.#clock.now();
    const { account } = this.#asker;
    const waits = this.#channels.flatMap((channel) =>
      channel.keys
        .filter((key) => !key.isDisabled)
        .map((key) => Math.max(channel.capacityMs, channel.breaker.waitMs(account), key.freeAt(account) - now)),
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
