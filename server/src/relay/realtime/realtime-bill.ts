// The money of one response or transcript of a session: what to hold before, what to charge after, by the price in force when
// it was held.
import { groupInForce, writeAgreed } from '../../billing/agreed-price.ts';
import { amountOf, type Charge, charge } from '../../billing/charge.ts';
import { highestPrice } from '../../billing/highest-cost.ts';
import type { Catalogue, Group, Model } from '../../catalogue/catalogue.ts';
import type { Price } from '../../catalogue/prices.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { NO_USAGE, NOTHING, type TokenUsage, type Usage } from '../../neutral/usage.ts';
import { type ResponseUsage, tokensHeard, type TranscriptUsage } from '../../protocols/realtime/index.ts';
import { atLeastDelivered, plausibleTokens, type Used } from '../usage-report.ts';
import type { PromptTokens } from './context-size.ts';

/** What a response came to by our own count. */
export interface OwnCount {
  prompt: PromptTokens;
  text: number;
  audio: number;
}

/** What providers add to a prompt. */
const MOST_ADDED = 50_000;
/** No answer is longer. */
const MOST_OUTPUT = 1_000_000;
/** A count so many times above ours is a mistake of somebody's. */
const MOST_TIMES = 10;
/** A transcript has about so many tokens for each token of audio. */
const OUTPUT_PER_HEARD = 0.5;

export class RealtimeBill {
  readonly #price: Price;
  readonly #group: Group;

  constructor(catalogue: Pick<Catalogue, 'groups'>, { price }: Pick<Model, 'price'>, group: string) {
    if (price === undefined) throw new GatewayError('model_not_found');
    this.#price = price;
    this.#group = groupInForce(catalogue, group);
  }

  get priceText(): string {
    return writeAgreed(this.#price, this.#group);
  }

  /** What a response can come to. */
  toHold(prompt: PromptTokens, output: number, speaks: boolean): bigint {
    const tokens = { ...promptUsage(prompt), output, ...(speaks && { audioOutput: output }) };
    const price = highestPrice(this.#price, { input: tokens.input, isOpen: () => false });
    return amountOf(price, this.#group, { ...NOTHING, ...tokens });
  }

  /** What a transcript can come to. */
  toHoldHeard(ms: number): bigint {
    return amountOf(this.#price, this.#group, this.#heard(ms, Math.ceil(tokensHeard(ms) * OUTPUT_PER_HEARD)));
  }

  charge(usage: Usage): Charge {
    return charge(this.#price, this.#group, usage);
  }

  /** Is a response that broke off charged? Not without output, nor by what was asked for instead of what was made. */
  isDue(output: number): boolean {
    return output > 0 && this.#price.unit === 'tokens';
  }

  /** What to charge for: the upstream's count where it can be believed, else ours (promises M-09, M-10). */
  used({ usage, cached, isDoubtful }: ResponseUsage, own: OwnCount, limit: number | undefined): Used {
    const ours = { ...promptUsage(own.prompt), output: own.text + own.audio, audioOutput: own.audio };
    if (usage === undefined) return { usage: { ...NOTHING, ...ours }, source: isDoubtful ? 'bounded' : 'counted' };
    const isAbsurd = usage.output > MOST_OUTPUT;
    const tokens = plausibleTokens(atLeastDelivered(usage, { input: () => ours.input, delivered: ours.output }), {
      mostInput: ours.input * MOST_TIMES + MOST_ADDED,
      mayAddInput: () => false,
      usualOutput: 0,
      limit: () => limit ?? (isAbsurd ? ours.output : undefined),
      delivered: ours.output,
    });
    const source = tokens === usage ? 'upstream' : 'bounded';
    return { usage: { ...NOTHING, ...this.#apart(tokens, cached) }, source };
  }

  /** What of the audio came from a cache has the rate of the cache, where there is one: it must not be counted twice. */
  #apart(tokens: TokenUsage, cached: ResponseUsage['cached']): TokenUsage {
    if (this.#price.unit !== 'tokens' || this.#price.perMillion.cached_input === undefined) return tokens;
    const { cachedInput, audioInput, imageInput } = tokens;
    if (cachedInput === 0) return tokens;
    return {
      ...tokens,
      audioInput: Math.max(0, audioInput - cached.audio),
      imageInput: Math.max(0, imageInput - cached.image),
    };
  }

  /** `unpaidMs`: of all that was sent; a pause that is noticed late shares it out otherwise than we do. */
  usedHeard(reported: TranscriptUsage, own: { ms: number; output: number }, unpaidMs = 0): Used {
    const counted = this.#heard(own.ms, own.output);
    if (this.#price.unit === 'audio_second') {
      if (reported.kind !== 'duration') return { usage: counted, source: 'counted' };
      // Seconds are rounded up by the vendor.
      if (reported.ms > Math.max(own.ms, unpaidMs) + 1_000) return { usage: counted, source: 'bounded' };
      return { usage: { ...counted, audioMs: reported.ms }, source: 'upstream' };
    }
    if (reported.kind !== 'tokens') {
      const isDoubtful = reported.kind === 'none' && reported.isDoubtful;
      return { usage: counted, source: isDoubtful ? 'bounded' : 'counted' };
    }
    const { usage } = reported;
    const most = (counted.input + counted.output) * MOST_TIMES + MOST_ADDED;
    if (usage.input > most || usage.output > most) return { usage: counted, source: 'bounded' };
    return { usage: { ...NOTHING, ...usage }, source: 'upstream' };
  }

  #heard(ms: number, output: number): Usage {
    const audio = tokensHeard(ms);
    return { ...NOTHING, input: audio, audioInput: audio, output, audioMs: Math.ceil(ms) };
  }
}

function promptUsage({ text, audio, image }: PromptTokens): TokenUsage {
  return { ...NO_USAGE, input: text + audio + image, audioInput: audio, imageInput: image };
}
