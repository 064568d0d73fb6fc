// Which channels can take a request, and in which order: higher priority first, within one priority by weight and chance.
import type { Catalogue, ChannelFacts } from '../catalogue/catalogue.ts';
import { channelsCarrying } from '../catalogue/channels-by-model.ts';
import { reachesChannel } from '../catalogue/visible-models.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { Clock } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { ChannelKey } from './channel-key.ts';
import { Channel } from './channel.ts';
import { type Asker, type Candidate, type KeyWatcher, Route, type RouteParts } from './route.ts';

export interface RouteWish {
  model: string;
  group: string;
  /** Whose calls these are: what they find out about a channel is for this account at first. */
  accountId?: string;
  /** What the request names that is kept by somebody: the place that has it, and who may be asked at all. */
  objects?: ObjectRule;
  /** Test tokens reach only sandbox channels. */
  mode: 'live' | 'test';
  /** What is to be done, and which channels can do it. */
  operation: string;
  serves(channel: ChannelFacts, operation: string): boolean;
}

/** One key of one channel: where an upstream keeps something under an id. */
export interface Place {
  channelId: string;
  keyId: string;
}

/** Where a request may go that names what upstreams keep. */
export interface ObjectRule {
  only: Place | undefined;
  field: string;
  allows(channel: ChannelFacts): boolean;
}

/** The way of one request that leaves something with its upstream, or goes back to it. */
export interface Way {
  /** The only place that will do. */
  only: Place | undefined;
  /** The place that was asked last. */
  taken: Place | undefined;
  /** The caller's field that names what is kept there. */
  field?: string;
}

/** Stands in for the key of an upstream that wants none. */
const NO_KEY = '';
/** A channel that is gone seldom comes back soon. */
const GONE_SECONDS = 60;

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

  constructor(parts: { clock: Clock; secretBox: SecretBox; random?: () => number }) {
    this.#clock = parts.clock;
    this.#secretBox = parts.secretBox;
    this.#random = parts.random ?? Math.random;
  }

  route(catalogue: Catalogue, wish: RouteWish): Route {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    if (wish.objects !== undefined) return this.along({ only: undefined, taken: undefined }).route(catalogue, wish);
    const owner = this.#owners.has(wish.accountId ?? '') ? wish.accountId : '';
    const name = `${wish.operation} ${wish.mode} ${wish.group} ${owner} ${wish.model}`;
    let channels = this.#plans.get(name);
    if (channels === undefined) {
      channels = this.#carrying(catalogue, wish);
      this.#plans.set(name, channels);
    }
    return new Route(channels, this.#parts(), askerOf(wish));
  }

  /** Only this place; without a wish also a channel that is disabled, since what it keeps is not carried by another. */
  routeTo(catalogue: Catalogue, wish: RouteWish | undefined, place: Place & { accountId?: string }): Route {
    const way = { only: place, taken: undefined };
    return this.#routeAlong(catalogue, wish, { way, accountId: place.accountId });
  }

  /** This router for one request, which keeps to the way and marks on it where it went. */
  along(way: Way): Router {
    const route = (catalogue: Catalogue, wish: RouteWish): Route =>
      this.#routeAlong(catalogue, wish, { way, accountId: wish.accountId });
    return new RouterAlong({ clock: this.#clock, secretBox: this.#secretBox }, route);
  }

  #routeAlong(
    catalogue: Catalogue,
    wish: RouteWish | undefined,
    { way, accountId }: { way: Way; accountId: string | undefined },
  ): Route {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    const objects = wish?.objects;
    if (objects !== undefined && way.only === undefined)
      Object.assign(way, { only: objects.only, field: objects.field });
    const { only } = way;
    const carrying = wish === undefined ? [...this.#channels.values()] : this.#carrying(catalogue, wish);
    const channels = only === undefined ? carrying : carrying.filter(({ facts }) => facts.id === only.channelId);
    const isThere = only !== undefined && this.#channels.get(only.channelId)?.facts.enabled === true;
    const asker = { account: accountId ?? '', model: wish?.model ?? '' };
    return new RouteAlong(channels, this.#parts(), { way, isThere, asker });
  }

  /** Every channel as it runs, for the console and metrics. */
  channels(catalogue: Catalogue): readonly Channel[] {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    return [...this.#channels.values()];
  }

  #parts(): RouteParts {
    return { clock: this.#clock, random: this.#random, watcher: this.watcher };
  }

  #carrying(catalogue: Catalogue, wish: RouteWish): readonly Channel[] {
    const carrying = channelsCarrying(catalogue, wish.model).filter(
      (facts) =>
        reachesChannel(wish, facts) &&
        wish.serves(facts, wish.operation) &&
        (wish.objects === undefined || wish.objects.allows(facts)),
    );
    // Nobody who pays for a real provider is to be answered by a simulated one, however badly the real one does.
    const hasReal = wish.mode === 'live' && carrying.some(({ sandbox }) => !sandbox);
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
      const keys = facts.keys.map(
        ({ id, ciphertext }) => known?.keys.find((key) => key.id === id) ?? this.#openKey(id, ciphertext),
      );
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

function askerOf({ accountId = '', model }: RouteWish): Asker {
  return { account: accountId, model };
}

class RouterAlong extends Router {
  readonly #route: Router['route'];

  constructor(parts: { clock: Clock; secretBox: SecretBox }, route: Router['route']) {
    super(parts);
    this.#route = route;
  }

  override route(catalogue: Catalogue, wish: RouteWish): Route {
    return this.#route(catalogue, wish);
  }
}

class RouteAlong extends Route {
  readonly #way: Way;
  /** A key that was taken out of its channel is replaced by any other: it was most likely renewed. */
  readonly #only: ChannelKey | undefined;
  readonly #keys: number;
  readonly #isGone: boolean;
  readonly #isThere: boolean;
  readonly #model: string;

  /** `isThere`: the channel of the only place exists and is enabled, be it for this wish or not. */
  constructor(
    channels: readonly Channel[],
    parts: RouteParts,
    { way, isThere, asker }: { way: Way; isThere: boolean; asker: Asker },
  ) {
    super(channels, parts, asker);
    const keys = channels.flatMap((channel) => channel.keys);
    this.#way = way;
    this.#only = way.only === undefined ? undefined : keys.find(({ id }) => id === way.only?.keyId);
    this.#keys = keys.length;
    this.#isGone = way.only !== undefined && channels.length === 0;
    this.#isThere = isThere;
    this.#model = asker.model;
  }

  override get isUnfit(): boolean {
    return !this.#isGone && super.isUnfit;
  }

  override next(): Candidate | undefined {
    let candidate = super.next();
    // Keys take turns: each comes by once.
    for (let turn = 1; candidate !== undefined && this.#only !== undefined && candidate.key !== this.#only; turn++) {
      this.finish();
      candidate = turn < this.#keys ? super.next() : undefined;
    }
    if (candidate !== undefined) this.#way.taken = { channelId: candidate.channel.facts.id, keyId: candidate.key.id };
    return candidate;
  }

  override exhausted(): GatewayError {
    if (!this.#isGone) return super.exhausted();
    if (this.#isThere) return this.#keptElsewhere();
    const message = 'The provider that keeps this is not available.';
    return new GatewayError('no_channel_available', { message, retryAfter: GONE_SECONDS });
  }

  #keptElsewhere(): GatewayError {
    const { field } = this.#way;
    const what = field === undefined ? 'What this goes on from' : `What "${field}" names`;
    const message = `${what} is kept by a provider that does not serve the model "${this.#model}". Use a model of that provider, such as the one it was made with, or send the whole conversation.`;
    return invalidRequest(message, field);
  }
}
