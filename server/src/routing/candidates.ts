// Which channels can take a request, and in which order: higher priority first, within one priority by weight and chance.
import type { Catalogue } from '../catalogue/catalogue.ts';
import { channelsCarrying } from '../catalogue/channels-by-model.ts';
import { reachesChannel } from '../catalogue/visible-models.ts';
import type { Clock } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { Channel, ChannelKey } from './channel.ts';
import { Route } from './route.ts';

export interface RouteWish {
  model: string;
  group: string;
  /** Test tokens reach only sandbox channels. */
  mode: 'live' | 'test';
  /** What is to be done, and which providers can do it. */
  operation: string;
  serves(provider: string, operation: string): boolean;
}

/** Stands in for the key of an upstream that wants none. */
const NO_KEY = '';

export class Router {
  readonly #clock: Clock;
  readonly #secretBox: SecretBox;
  readonly #random: () => number;
  #catalogue: Catalogue | undefined;
  #channels = new Map<string, Channel>();
  #plans = new Map<string, readonly Channel[]>();

  constructor(parts: { clock: Clock; secretBox: SecretBox; random?: () => number }) {
    this.#clock = parts.clock;
    this.#secretBox = parts.secretBox;
    this.#random = parts.random ?? Math.random;
  }

  route(catalogue: Catalogue, wish: RouteWish): Route {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    const name = `${wish.operation} ${wish.mode} ${wish.group} ${wish.model}`;
    let channels = this.#plans.get(name);
    if (channels === undefined) {
      channels = this.#carrying(catalogue, wish);
      this.#plans.set(name, channels);
    }
    return new Route(channels, { clock: this.#clock, random: this.#random });
  }

  /** Every channel as it runs, for the console and metrics. */
  channels(catalogue: Catalogue): readonly Channel[] {
    if (catalogue !== this.#catalogue) this.#follow(catalogue);
    return [...this.#channels.values()];
  }

  #carrying(catalogue: Catalogue, wish: RouteWish): readonly Channel[] {
    return channelsCarrying(catalogue, wish.model)
      .filter((facts) => reachesChannel(wish, facts) && wish.serves(facts.provider, wish.operation))
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
      if (keys.length === 0)
        keys.push(known?.keys.find((key) => key.id === NO_KEY) ?? new ChannelKey(NO_KEY, '', this.#clock));
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
    this.#catalogue = catalogue;
  }

  #openKey(id: string, ciphertext: string): ChannelKey {
    return new ChannelKey(id, this.#secretBox.open(ciphertext), this.#clock);
  }
}
