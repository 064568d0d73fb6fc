// The money side of one request: what to hold before, what to charge after, by the one price that was in force.
import { type AgreedPrice, groupAt, groupInForce, writeAgreed } from '../billing/agreed-price.ts';
import { amountOf, type Charge, charge, type Counted } from '../billing/charge.ts';
import { areUsesCut, chargedExtras } from '../billing/charged-extras.ts';
import { highestDetails, highestPrice, highestTier, type PossibleParts, usesToHold } from '../billing/highest-cost.ts';
import {
  estimateForHold,
  estimateInput,
  estimateMedia,
  LARGEST_USUAL_OUTPUT,
  type TokenEstimate,
  USUAL_IMAGE_OUTPUT,
} from '../billing/estimate.ts';
import type { Catalogue, Group, Model } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { type Extras, NOTHING, type TokenUsage, type Usage, type UsageSource } from '../neutral/usage.ts';
import type { Operation, Protocol } from '../protocols/protocol.ts';
import { outputLimitField } from '../protocols/translation/translations.ts';
import { type BilledRequest, partsOfAnswer, partsToHold, PLAIN } from './billed-request.ts';
import {
  atLeastDelivered,
  audioMsToHold,
  isPossible,
  type LeastTokens,
  mostInputOf,
  plausibleAudioMs,
  plausibleTokens,
  type TokenBounds,
  UNKNOWN_OUTPUT,
  type UsageReport,
  type Used,
} from './usage-report.ts';

export interface BillDependencies {
  model: Pick<Model, 'id' | 'price' | 'maxOutputTokens'>;
  group: string;
  request: BilledRequest;
  protocol: Pick<Protocol, 'operation' | 'units'>;
  /** It is a line of a batch. */
  isBatch?: boolean | undefined;
  /** Instead of what model and group cost now. */
  agreed?: AgreedPrice | undefined;
}

/** Units that count what an upstream made; the others are for whole answers only. */
const MADE_UNITS = new Set(['tokens', 'image']);
const EMBEDS: ReadonlySet<Operation> = new Set(['embeddings', 'embed-content', 'batch-embed-contents'] as const);

/** Where an own count comes from. */
interface OwnFacts {
  /** The upstream reported a count that cannot be. */
  isDoubted: boolean;
  /** The length of the audio as the upstream reported it, if it can be. */
  heard: number | undefined;
}

export class Bill {
  readonly #price: Price;
  readonly #group: Group;
  readonly #model: BillDependencies['model'];
  readonly #request: BilledRequest;
  readonly #operation: Operation;
  readonly #isText: boolean;
  readonly #isLine: boolean;
  /** At the price of batches. */
  readonly #isBatch: boolean;

  constructor(
    catalogue: Pick<Catalogue, 'groups'>,
    { model, group, request, protocol, isBatch = false, agreed }: BillDependencies,
  ) {
    const price = agreed?.price ?? model.price;
    if (price === undefined) throw new GatewayError('model_not_found');
    if (!protocol.units.includes(price.unit)) {
      throw invalidRequest(
        `The model "${model.id}" is sold per ${price.unit}, which does not fit this endpoint.`,
        'model',
      );
    }
    this.#price = price;
    this.#group = agreed === undefined ? groupInForce(catalogue, group) : groupAt(group, agreed.multiplier);
    this.#model = model;
    this.#request = request;
    this.#operation = protocol.operation;
    this.#isText = outputLimitField(protocol.operation) !== undefined;
    this.#isLine = isBatch;
    this.#isBatch = isBatch && price.unit === 'tokens' && price.batch !== undefined;
  }

  /** Kept with the hold: the settle uses this price, whatever an operator changes meanwhile. A line runs long after its hold. */
  get priceText(): string {
    return writeAgreed(this.#price, this.#group, this.#isLine ? (this.#model.maxOutputTokens ?? null) : undefined);
  }

  get holdAmount(): bigint {
    const { price, usage } = this.#most();
    return amountOf(price, this.#group, this.#counted(usage));
  }

  /** All that a text may come to, where neither the request nor the model bounds it; undefined for all others. */
  get mostAmount(): bigint | undefined {
    const open = this.#open();
    return open && amountOf(open.price, this.#group, this.#counted(open.usage));
  }

  /** The amount to hold, with its arithmetic and the counts behind it. */
  get estimate(): Charge & { usage: Usage } {
    const { price, usage } = this.#most();
    return { ...charge(price, this.#group, this.#counted(usage)), usage };
  }

  /** The same for `mostAmount`. */
  get mostEstimate(): (Charge & { usage: Usage }) | undefined {
    const open = this.#open();
    return open && { ...charge(open.price, this.#group, this.#counted(open.usage)), usage: open.usage };
  }

  charge(usage: Usage): Charge {
    return charge(this.#price, this.#group, this.#counted(usage));
  }

  /** Is an answer that its upstream broke off charged? Not without output, nor by what was asked for instead of what was made. */
  isDue(output: number): boolean {
    return output > 0 && MADE_UNITS.has(this.#price.unit);
  }

  /**
   * What a call comes to that was sent and then left by its client: the prompt, and what is known to have been made of it
   * (promise M-07). Images and responses in the background are made to their end all the same, so they are due in whole.
   */
  left(made: UsageReport): Used {
    const { images, background } = this.#request;
    const whole = (images?.count ?? 0) * USUAL_IMAGE_OUTPUT;
    return this.used({
      ...made,
      output: background === true ? UNKNOWN_OUTPUT : Math.max(made.output, whole),
      images: undefined,
    });
  }

  /** What to charge for: the upstream's own count of tokens where it can be believed, else ours; the rest as asked for. */
  used(report: UsageReport): Used {
    const { usage, source } = this.#usedTokens(report);
    const asked = this.#askedTiers();
    const tiers = asked && (report.tiers ?? (() => asked));
    const extras = chargedExtras(this.#price, report.extras, { tiers, limits: report.toolLimits });
    const isCut = report.extras !== undefined && areUsesCut(report.extras, extras);
    return { usage: { ...usage, ...extras }, source: isCut ? 'bounded' : source };
  }

  #usedTokens(report: UsageReport): Used {
    const { usage, output, source, images, audioMs, isDoubtful = false } = report;
    const heard = plausibleAudioMs(audioMs, this.#request);
    const asked = this.#asked();
    // More images than were asked for are the upstream's gift (promise M-10).
    const made = images === undefined ? asked.images : Math.min(images, asked.images);
    const counts = { ...asked, images: made, ...(heard !== undefined && { audioMs: heard }) };
    if (usage !== undefined && isPossible(usage, this.#request)) {
      const tokens = plausibleTokens(atLeastDelivered(usage, this.#least(report)), this.#bounds(report));
      return { usage: { ...NOTHING, ...counts, ...tokens }, source: tokens === usage ? 'upstream' : 'bounded' };
    }
    const due = images === undefined || images <= made ? output : Math.ceil((output * made) / images);
    const tokens = { input: estimateInput(this.#request), output: this.#ownOutput(due) };
    const own = this.#sourceOf({ isDoubted: usage !== undefined || isDoubtful, heard, ...report, source });
    const parts = partsOfAnswer(this.#operation);
    return { usage: { ...NOTHING, ...counts, ...this.#highest(tokens, parts) }, source: own };
  }

  #open(): { price: Price; usage: Usage } | undefined {
    const { maxOutputTokens, choices } = this.#request;
    const isOpen = maxOutputTokens === undefined && this.#model.maxOutputTokens === undefined;
    if (!isOpen || this.#price.unit !== 'tokens' || !this.#isText) return undefined;
    return this.#most(LARGEST_USUAL_OUTPUT * choices);
  }

  /** All that the request can come to, with the highest rates that it can have. */
  #most(output?: number): { price: Price; usage: Usage } {
    const usual = estimateForHold(this.#request, this.#model);
    const tokens = output === undefined ? usual : { ...usual, output };
    const { audioMs } = this.#request;
    const asked = { ...this.#asked(), ...(audioMs !== undefined && { audioMs: audioMsToHold(audioMs) }) };
    const price = highestPrice(this.#price, { input: tokens.input, isOpen: () => this.#inputIsOpen() });
    const parts = partsToHold(this.#operation, this.#request, price);
    return { price, usage: { ...NOTHING, ...asked, ...this.#highest(tokens, parts, price), ...this.#mostExtras() } };
  }

  /** What the upstream may use beside the tokens, where that has a price. */
  #mostExtras(): Extras {
    const price = this.#price;
    if (price.unit !== 'tokens' || (price.tiers === undefined && price.tools === undefined)) return {};
    const serviceTier = highestTier(price, this.#askedTiers());
    const offered = price.tools === undefined ? [] : (this.#request.serverTools?.().list ?? []);
    const toolUses = usesToHold(price, offered);
    return { ...(serviceTier !== undefined && { serviceTier }), ...(toolUses !== undefined && { toolUses }) };
  }

  #askedTiers(): readonly string[] | undefined {
    return this.#request.serviceTiers?.map(({ name }) => name);
  }

  /** The body does not say how long the input is. Asked only where long calls have rates of their own. */
  #inputIsOpen(): boolean {
    const { refersElsewhere, mediaCount, mayNameSource, serverTools } = this.#request;
    if (refersElsewhere === true || mediaCount > 0 || mayNameSource?.() === true) return true;
    return (serverTools?.().list.length ?? 0) > 0;
  }

  /** Where the charge does not come from the upstream's count of tokens. */
  #sourceOf({ isDoubted, heard, audioMs, source }: Pick<UsageReport, 'audioMs' | 'source'> & OwnFacts): UsageSource {
    switch (this.#price.unit) {
      case 'tokens':
        return isDoubted ? 'bounded' : source;
      case 'audio_second':
        if (heard !== undefined) return 'upstream';
        if (audioMs !== undefined && audioMs > 0) return 'bounded';
        return this.#request.audioIsGuessed === true ? 'estimated' : 'counted';
      default:
        return 'counted';
    }
  }

  /** Our own count, as it is: what was delivered is due, also above the hold. What nobody can know comes to the hold. */
  #ownOutput(due: number): number {
    const { images, outputMedia = [], maxOutputTokens } = this.#request;
    const isText = images === undefined && outputMedia.length === 0 && maxOutputTokens !== 0;
    return isText && due < UNKNOWN_OUTPUT ? due : Math.min(due, this.#mostOutput());
  }

  #asked(): Pick<Usage, 'images' | 'characters' | 'audioMs' | 'searches'> {
    const { images, characters = 0, audioMs = 0 } = this.#request;
    return { images: images?.count ?? 0, characters, audioMs, searches: this.#operation === 'rerank' ? 1 : 0 };
  }

  /** Tokens that nobody has counted, as the most expensive of these; the input of a transcript is its audio. */
  #highest(
    tokens: TokenEstimate,
    parts: PossibleParts,
    price: Price = this.#price,
  ): TokenEstimate & Partial<TokenUsage> {
    if (parts === PLAIN) return tokens;
    const { audioMs } = this.#request;
    const mediaInput = audioMs === undefined ? estimateMedia(this.#request) : tokens.input;
    return { ...tokens, ...highestDetails(price, parts, { ...tokens, mediaInput }) };
  }

  #counted(usage: Usage): Counted {
    const { images } = this.#request;
    if (this.#isBatch) return { ...usage, isBatch: true };
    return images === undefined ? usage : { ...usage, imageSize: images.size, imageQuality: images.quality };
  }

  #least({ output }: UsageReport): LeastTokens {
    const isRead = this.#isText || EMBEDS.has(this.#operation);
    const delivered = this.#isText ? this.#ownOutput(output) : 0;
    return { input: () => (isRead ? estimateInput(this.#request) : 0), delivered };
  }

  #bounds({ output, limit }: UsageReport): TokenBounds {
    const { maxOutputTokens, namesSource } = this.#request;
    return {
      mostInput: mostInputOf(this.#request),
      mayAddInput: () => namesSource?.() === true,
      usualOutput: this.#mostOutput(),
      limit: limit ?? (() => (maxOutputTokens === undefined ? undefined : this.#mostOutput())),
      delivered: output,
    };
  }

  #mostOutput(): number {
    return estimateForHold(this.#request, this.#model).output;
  }
}
