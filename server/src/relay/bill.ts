// The money side of one request: what to hold before, what to charge after, by the one price that was in force.
import { amountOf, type Charge, chargeText, type CountedTokens } from '../billing/charge.ts';
import { estimateForHold, estimateInput, estimateOutput } from '../billing/estimate.ts';
import type { Catalogue, Group, Model } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { NO_USAGE, type TokenUsage, type UsageSource } from '../neutral/usage.ts';
import type { TextRequest } from '../protocols/protocol.ts';

export interface UsedTokens {
  usage: TokenUsage;
  source: UsageSource;
}

const MOST_TOKENS_PER_MEDIA = 200_000;
const MOST_TOKENS_ADDED = 50_000;
const MOST_OUTPUT_TOKENS = 1_000_000;

export class Bill {
  readonly #price: Price;
  readonly #group: Group;
  readonly #model: Model;
  readonly #request: TextRequest;

  constructor(catalogue: Catalogue, parts: { model: Model; group: string; request: TextRequest }) {
    if (parts.model.price === undefined) throw new GatewayError('model_not_found');
    this.#price = parts.model.price;
    this.#group = catalogue.groups.get(parts.group) ?? {
      name: parts.group,
      multiplier: '1',
      multiplierNano: 1_000_000_000n,
      models: undefined,
    };
    this.#model = parts.model;
    this.#request = parts.request;
  }

  /** Kept with the hold: the settle uses this price, whatever an operator changes meanwhile. */
  get priceText(): string {
    return `{"price":${this.#price.text},"multiplier":"${this.#group.multiplier}"}`;
  }

  get holdAmount(): bigint {
    return amountOf(this.#price, this.#group, estimateForHold(this.#request, this.#model));
  }

  charge(usage: CountedTokens): Charge {
    return chargeText(this.#price, this.#group, usage);
  }

  /** Is a stream that did not end well charged? Not without output, and a price per request is for whole answers only. */
  isDue(clientLeft: boolean, output: number): boolean {
    return output > 0 && (clientLeft || this.#price.unit !== 'request');
  }

  /** A whole answer: the upstream's own count, else an estimate by size. */
  usedByAnswer(usage: TokenUsage | undefined, answerBytes: number): UsedTokens {
    if (usage !== undefined && this.#isBelievable(usage)) return { usage: this.#bounded(usage), source: 'upstream' };
    const output = Math.min(estimateOutput(answerBytes), this.#mostOutput());
    return { usage: { ...NO_USAGE, input: estimateInput(this.#request), output }, source: 'estimated' };
  }

  /** A stream: the upstream's count, else the pieces that we counted. */
  usedByStream(usage: TokenUsage | undefined, pieces: number): UsedTokens {
    if (usage !== undefined && this.#isBelievable(usage)) return { usage: this.#bounded(usage), source: 'upstream' };
    return { usage: { ...NO_USAGE, input: estimateInput(this.#request), output: pieces }, source: 'counted' };
  }

  /** No text has more tokens than bytes; media and what providers add to a prompt are allowed generously (promise M-10). */
  #isBelievable(usage: TokenUsage): boolean {
    const { inputBytes, mediaCount, choices } = this.#request;
    const mostInput = inputBytes + mediaCount * MOST_TOKENS_PER_MEDIA + MOST_TOKENS_ADDED;
    return usage.input <= mostInput && usage.output <= MOST_OUTPUT_TOKENS * choices;
  }

  /** An upstream cannot have produced more than the request allowed it to: more is not charged (promise M-10). */
  #bounded(usage: TokenUsage): TokenUsage {
    const most = this.#request.maxOutputTokens === undefined ? Infinity : this.#mostOutput();
    return usage.output <= most ? usage : { ...usage, output: most };
  }

  #mostOutput(): number {
    return estimateForHold(this.#request, this.#model).output;
  }
}
