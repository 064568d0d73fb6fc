// Which channels can take a request, and in which order: higher priority first, within one priority by weight and chance.
import type { Catalogue, ChannelFacts } from '../catalogue/catalogue.ts';
import { channelsCarrying, reachesChannel } from '../catalogue/visible-models.ts';
import type { Clock } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { type Affinity, AffinityRoute, anyChannelKey, type ChannelKeyId } from './affinity.ts';
import { ChannelKey } from './channel-key.ts';
import { Channel } from './channel.ts';
import { type Asker, type KeyWatcher, Route, type RouteDependencies } from './route.ts';

export interface RouteRequest {
  model: string;
  group: string;
  /** Whose calls these are: what they find out about a channel is for this account at first. */
  accountId?: string;
  /** What the request names that upstreams keep: the channel key that has it, and which channels may be asked at all. */
  objects?: ObjectRule;
  /** Test tokens reach only sandbox channels. */
  mode: 'live' | 'test';
  /** What is to be done, and which channels can do it. */
  operation: string;
  serves(channel: ChannelFacts, operation: string, model: string): boolean;
}

/** Where a request may go that names what upstreams keep. */
export interface ObjectRule {
  only: ChannelKeyId | undefined;
  field: string;
  allows(channel: ChannelFacts): boolean;
}

/** Stands in for the key of an upstream that wants none. */
const NO_KEY = '';
export class Router {
  /** Hears of refused keys. */
  watcher: KeyWatcher | undefined;
  readonly #clock: Clock;
  readonly #secretBox: SecretBox;
  readonly #random: () => number;
  #catalogue: Catalogue | undefined;
  #channels = new Map<string, Channel>();
  #plans = new Map<string, readonly Channel[]>();
  /** Accounts with channels of their own. */
  #owners = new Set<string | undefined>();

  constructor(dependencies: { clock: Clock; secretBox: SecretBox; random?: () => number }) {
    this.#clock = dependencies.clock;
    this.#secretBox = dependencies.secretBox;
    this.#random = dependencies.random ?? Math.random;
  }

  /** With an affinity the route keeps to it, and notes there which channel key it asks. */
  route(catalogue: Catalogue, request: RouteRequest, affinity?: Affinity): Route {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    if (affinity !== undefined || request.objects !== undefined)
      return this.#affinityRoute(catalogue, request, {
        affinity: affinity ?? anyChannelKey(),
        accountId: request.accountId,
      });
    const owner = this.#owners.has(request.accountId ?? '') ? request.accountId : '';
    const name = `${request.operation} ${request.mode} ${request.group} ${owner} ${request.model}`;
    let channels = this.#plans.get(name);
    if (channels === undefined) {
      channels = this.#carrying(catalogue, request);
      this.#plans.set(name, channels);
    }
    return new Route(channels, this.#dependencies(), askerOf(request));
  }

  /** Only this channel key. Without a request also one of a disabled channel, since what it keeps is nowhere else. */
  routeTo(
    catalogue: Catalogue,
    request: RouteRequest | undefined,
    { accountId, ...only }: ChannelKeyId & { accountId?: string },
  ): Route {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    return this.#affinityRoute(catalogue, request, { affinity: { only, taken: undefined }, accountId });
  }

  #affinityRoute(
    catalogue: Catalogue,
    request: RouteRequest | undefined,
    { affinity, accountId }: { affinity: Affinity; accountId: string | undefined },
  ): Route {
    // The field of an earlier answer says more than objects in the input.
    const { only, field } = affinity.only === undefined ? (request?.objects ?? affinity) : affinity;
    const carrying = request === undefined ? [...this.#channels.values()] : this.#carrying(catalogue, request);
    const channels = only === undefined ? carrying : carrying.filter(({ facts }) => facts.id === only.channelId);
    const isThere = only !== undefined && this.#channels.get(only.channelId)?.facts.enabled === true;
    const asker = { account: accountId ?? '', model: request?.model ?? '', mayUseDisabled: request === undefined };
    return new AffinityRoute(channels, this.#dependencies(), { affinity, only, field, isThere, asker });
  }

  /** Every channel as it runs, for the console and metrics. */
  channels(catalogue: Catalogue): readonly Channel[] {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    return [...this.#channels.values()];
  }

  /** A call with this key was paid for. Nothing where the channel is gone. */
  charged({ channelId, keyId }: ChannelKeyId, amount: bigint): void {
    this.#channels.get(channelId)?.record.of(keyId).charge(amount);
  }

  #dependencies(): RouteDependencies {
    return { clock: this.#clock, random: this.#random, watcher: this.watcher };
  }

  #carrying(catalogue: Catalogue, request: RouteRequest): readonly Channel[] {
    const carrying = channelsCarrying(catalogue, request.model).filter(
      (facts) =>
        reachesChannel(request, facts) &&
        request.serves(facts, request.operation, request.model) &&
        (request.objects === undefined || request.objects.allows(facts)),
    );
    // Nobody who pays for a real provider is to be answered by a simulated one, however badly the real one does.
    const hasReal = request.mode === 'live' && carrying.some(({ sandbox }) => !sandbox);
    return carrying
      .filter(({ sandbox }) => !sandbox || !hasReal)
      .sort((a, b) => b.priority - a.priority)
      .flatMap((facts) => this.#channels.get(facts.id) ?? []);
  }

  /** Takes over a new catalogue; a channel that stays keeps its breaker, and a key that stays keeps its own. */
  #follow(catalogue: Catalogue): void {
    const next = new Map<string, Channel>();
    for (const facts of catalogue.channels) {
      const known = this.#channels.get(facts.id);
      const keys = facts.keys.map(({ id, ciphertext, isDisabled }) => {
        const key = known?.keys.find((one) => one.id === id) ?? this.#openKey(id, ciphertext);
        key.isDisabled = isDisabled;
        return key;
      });
      if (keys.length === 0) keys.push(known?.keys.find((key) => key.id === NO_KEY) ?? new ChannelKey(NO_KEY, ''));
      if (known === undefined || known.facts.baseUrl !== facts.baseUrl) {
        next.set(facts.id, new Channel(facts, keys, this.#clock));
      } else {
        known.facts = facts;
        known.keys = keys;
        next.set(facts.id, known);
      }
    }
    this.#channels = next;
    this.#plans = new Map();
    this.#owners = new Set(catalogue.channels.map(({ options }) => options.accountId));
    this.#catalogue = catalogue;
  }

  #openKey(id: string, ciphertext: string): ChannelKey {
    return new ChannelKey(id, this.#secretBox.open(ciphertext));
  }
}

function askerOf({ accountId = '', model }: RouteRequest): Asker {
  return { account: accountId, model };
}
