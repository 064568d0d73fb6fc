// Affinity of one request to a channel key: where an upstream keeps what the request names, and which channel key it was
// sent to at last. A value of the call: the caller of the relay makes it, the router reads and fills it.
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { ChannelKey } from './channel-key.ts';
import type { Channel } from './channel.ts';
import { type Asker, type Candidate, Route, type RouteDependencies } from './route.ts';

/** One key of one channel, by their ids. */
export interface ChannelKeyId {
  channelId: string;
  keyId: string;
}

export interface Affinity {
  /** The only channel key that may be asked; undefined when any may. */
  only: ChannelKeyId | undefined;
  /** The channel key that was asked last; filled by the route. */
  taken: ChannelKeyId | undefined;
  /** The caller's field that names what is kept there. */
  field?: string;
}

export function anyChannelKey(): Affinity {
  return { only: undefined, taken: undefined };
}

/** A channel that is gone seldom comes back soon. */
const GONE_SECONDS = 60;

interface AffinityBounds {
  affinity: Affinity;
  only: ChannelKeyId | undefined;
  field: string | undefined;
  /** The channel of `only` exists and is enabled, whether it serves this request or not. */
  isThere: boolean;
  asker: Asker;
}

/** The candidates of a request with affinity. */
export class AffinityRoute extends Route {
  readonly #affinity: Affinity;
  readonly #field: string | undefined;
  /** A key that was taken out of its channel is replaced by any other: it was most likely renewed. */
  readonly #only: ChannelKey | undefined;
  readonly #keys: number;
  readonly #isGone: boolean;
  readonly #isThere: boolean;
  readonly #model: string;

  constructor(channels: readonly Channel[], dependencies: RouteDependencies, bounds: AffinityBounds) {
    const { affinity, only, field, isThere, asker } = bounds;
    super(channels, dependencies, asker);
    const keys = channels.flatMap((channel) => channel.keys);
    this.#affinity = affinity;
    this.#field = field;
    this.#only = only === undefined ? undefined : keys.find(({ id }) => id === only.keyId);
    this.#keys = keys.length;
    this.#isGone = only !== undefined && channels.length === 0;
    this.#isThere = isThere;
    this.#model = asker.model;
  }

  override get isUnsupported(): boolean {
    return !this.#isGone && super.isUnsupported;
  }

  override next(): Candidate | undefined {
    let candidate = super.next();
    // Keys are handed out in rotation: each comes by once.
    for (let tried = 1; candidate !== undefined && this.#only !== undefined && candidate.key !== this.#only; tried++) {
      this.finish();
      candidate = tried < this.#keys ? super.next() : undefined;
    }
    if (candidate !== undefined)
      this.#affinity.taken = { channelId: candidate.channel.facts.id, keyId: candidate.key.id };
    return candidate;
  }

  override exhausted(): GatewayError {
    if (!this.#isGone) return super.exhausted();
    if (this.#isThere) return this.#keptElsewhere();
    const message = 'The provider that keeps this is not available.';
    return new GatewayError('no_channel_available', { message, retryAfter: GONE_SECONDS });
  }

  #keptElsewhere(): GatewayError {
    const field = this.#field;
    const what = field === undefined ? 'What this goes on from' : `What "${field}" names`;
    const message = `${what} is kept by a provider that does not serve the model "${this.#model}". Use a model of that provider, such as the one it was made with, or send the whole conversation.`;
    return invalidRequest(message, field);
  }
}
