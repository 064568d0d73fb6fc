// The money side of one request: what to hold before, what to charge after, by the one price that was in force.
import { amountOf, type Charge, charge, type Counted } from '../billing/charge.ts';
import { areUsesCut, chargedExtras } from '../billing/charged-extras.ts';
import { highestDetails, costsMore, type PossibleParts } from '../billing/highest-details.ts';
import { highestPrice, highestTier, usesToHold } from '../billing/highest-rates.ts';
import {
  estimateForHold,
  estimateInput,
  estimateMedia,
  estimateOutput,
  LARGEST_USUAL_OUTPUT,
  type TokenEstimate,
  USUAL_IMAGE_OUTPUT,
} from '../billing/estimate.ts';
import type { Catalogue, Group, Model } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import {
  type Extras,
  NOTHING,
  type TokenUsage,
  type ToolLimits,
  type Usage,
  type UsageSource,
} from '../neutral/usage.ts';
import type { Operation, Protocol, RelayRequest } from '../protocols/protocol.ts';
import { outputLimitField } from '../protocols/translation/translations.ts';
import type { AgreedPrice } from './agreed-price.ts';
import { audioMsToHold, plausibleAudioMs } from './plausible-audio.ts';
import { atLeastDelivered, plausibleTokens, type LeastTokens, type TokenBounds } from './plausible-tokens.ts';

export interface Used {
  usage: Usage;
  source: UsageSource;
}

/** What an answer or a stream reported, or let us count. */
export interface UsageReport {
  usage: TokenUsage | undefined;
  /** Output tokens by our own reckoning, for when nothing is reported. */
  output: number;
  source: 'counted' | 'estimated';
  images?: number | undefined;
  /** The length of the audio, where the upstream counts by that. */
  audioMs?: number | undefined;
  /** Usage was reported, but no such counts can be. */
  isDoubtful?: boolean | undefined;
  /** The most output that the request allowed as it was sent; without it, what the request says itself. */
  limit?: (() => number | undefined) | undefined;
  /** The service tiers that the request as it was sent asks for; without it, what the request says itself. */
  tiers?: (() => readonly string[]) | undefined;
  /** How often the request as it was sent lets tools be used. */
  toolLimits?: (() => ToolLimits | undefined) | undefined;
  /** What raises the cost of the call beside its tokens. */
  extras?: Extras | undefined;
}

/** What money must know of a request; the rest of it is not needed to charge it later. */
export type BilledRequest = Pick<
  RelayRequest,
  | 'maxOutputTokens'
  | 'choices'
  | 'inputBytes'
  | 'mediaCount'
  | 'refersElsewhere'
  | 'namesSource'
  | 'mayNameSource'
  | 'marksCache'
  | 'serviceTiers'
  | 'serverTools'
  | 'outputMedia'
  | 'images'
  | 'characters'
  | 'audioMs'
  | 'audioIsGuessed'
  | 'background'
>;

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
/** Of an hour of video, or of a text that looks like media. */
const MOST_TOKENS_PER_MEDIA = 1_000_000;
const MOST_TOKENS_ADDED = 50_000;
/** No model takes more. */
const MOST_INPUT_TOKENS = 10_000_000;
const MOST_OUTPUT_TOKENS = 1_000_000;

/** Stands for an output that nobody can count any more. */
export const UNKNOWN_OUTPUT = 2 ** 40;

/** Where an own count comes from. */
interface OwnFacts {
  /** The upstream reported a count that cannot be. */
  isDoubted: boolean;
  /** The length of the audio as the upstream reported it, if it can be. */
  heard: number | undefined;
}

const IMAGES: PossibleParts = { media: ['image_input'], output: ['image_output'] };
const HEARD: PossibleParts = { media: ['audio_input'] };

/** Operations whose tokens are of other things than text; what is written down of audio is text. */
const PARTS_OF: Partial<Record<Operation, PossibleParts>> = {
  'image-generation': IMAGES,
  'image-edit': IMAGES,
  speech: { output: ['audio_output'] },
  transcription: HEARD,
  translation: HEARD,
};
const PLAIN: PossibleParts = {};
const EMBEDS: ReadonlySet<Operation> = new Set(['embeddings', 'embed-content', 'batch-embed-contents'] as const);
/** Which of them a piece of media is, nobody says; it may also be kept as text is. */
const EMBEDDED = ['audio_input', 'image_input'] as const;
const KEPT = ['cache_write'] as const;

export class Bill {
  readonly #price: Price;
  readonly #group: Group;
  readonly #model: BillDependencies['model'];
  readonly #request: BilledRequest;
  readonly #operation: Operation;
  readonly #isText: boolean;
  readonly #isBatch: boolean;

  constructor(
    { groups }: Pick<Catalogue, 'groups'>,
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
    const current = groups.get(group) ?? {
      name: group,
      multiplier: '1',
      multiplierNano: 1_000_000_000n,
      models: undefined,
    };
    const { multiplier, multiplierNano } = agreed ?? current;
    this.#group = agreed === undefined ? current : { ...current, multiplier, multiplierNano };
    this.#model = model;
    this.#request = request;
    this.#operation = protocol.operation;
    this.#isText = outputLimitField(protocol.operation) !== undefined;
    this.#isBatch = isBatch && price.unit === 'tokens' && price.batch !== undefined;
  }

  /** Kept with the hold: the settle uses this price, whatever an operator changes meanwhile. */
  get priceText(): string {
    return `{"price":${this.#price.text},"multiplier":"${this.#group.multiplier}"}`;
  }

  get holdAmount(): bigint {
    const { price, usage } = this.#most();
    return amountOf(price, this.#group, this.#counted(usage));
  }

  /** All that a text may come to, where neither the request nor the model bounds it; undefined for all others. */
  get mostAmount(): bigint | undefined {
    const { maxOutputTokens, choices } = this.#request;
    const isOpen = maxOutputTokens === undefined && this.#model.maxOutputTokens === undefined;
    if (!isOpen || this.#price.unit !== 'tokens' || !this.#isText) return undefined;
    const { price, usage } = this.#most(LARGEST_USUAL_OUTPUT * choices);
    return amountOf(price, this.#group, this.#counted(usage));
  }

  /** The amount to hold, with its arithmetic and the counts behind it. */
  get estimate(): Charge & { usage: Usage } {
    const { price, usage } = this.#most();
    return { ...charge(price, this.#group, this.#counted(usage)), usage };
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
    if (usage !== undefined && this.#isPossible(usage)) {
      const tokens = plausibleTokens(atLeastDelivered(usage, this.#least(report)), this.#bounds(report));
      return { usage: { ...NOTHING, ...counts, ...tokens }, source: tokens === usage ? 'upstream' : 'bounded' };
    }
    const due = images === undefined || images <= made ? output : Math.ceil((output * made) / images);
    const tokens = { input: estimateInput(this.#request), output: this.#ownOutput(due) };
    const own = this.#sourceOf({ isDoubted: usage !== undefined || isDoubtful, heard, ...report, source });
    // An answer to a request for text is taken for text, whatever else it might have had.
    const parts = PARTS_OF[this.#operation] ?? PLAIN;
    return { usage: { ...NOTHING, ...counts, ...this.#highest(tokens, parts) }, source: own };
  }

  /** All that the request can come to, with the highest rates that it can have. */
  #most(output?: number): { price: Price; usage: Usage } {
    const usual = estimateForHold(this.#request, this.#model);
    const tokens = output === undefined ? usual : { ...usual, output };
    const { audioMs } = this.#request;
    const asked = { ...this.#asked(), ...(audioMs !== undefined && { audioMs: audioMsToHold(audioMs) }) };
    const price = highestPrice(this.#price, { input: tokens.input, isOpen: () => this.#inputIsOpen() });
    const parts = PARTS_OF[this.#operation] ?? this.#partsOfText(price);
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

  /** What the tokens of a request for text can be. */
  #partsOfText(price: Price): PossibleParts {
    const { mediaCount, outputMedia, marksCache } = this.#request;
    const text = marksCache !== undefined && costsMore(price, 'cache_write') && marksCache() ? KEPT : undefined;
    if (mediaCount === 0 && outputMedia === undefined && text === undefined) return PLAIN;
    return {
      ...(text !== undefined && { text }),
      media: text === undefined ? EMBEDDED : [...EMBEDDED, ...text],
      output: (outputMedia ?? []).map((medium) => `${medium}_output` as const),
    };
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

  /** Could any upstream have used that much? */
  #isPossible({ input, output }: TokenUsage): boolean {
    return input <= MOST_INPUT_TOKENS && output <= MOST_OUTPUT_TOKENS * this.#request.choices;
  }

  /** No text has more tokens than bytes; media and what providers add to a prompt are allowed generously (promise M-10). */
  #mostInput(): number {
    const { inputBytes, mediaCount, refersElsewhere } = this.#request;
    if (refersElsewhere === true) return MOST_INPUT_TOKENS;
    return inputBytes + mediaCount * MOST_TOKENS_PER_MEDIA + MOST_TOKENS_ADDED;
  }

  #least({ output }: UsageReport): LeastTokens {
    const isRead = this.#isText || EMBEDS.has(this.#operation);
    const delivered = this.#isText ? this.#ownOutput(output) : 0;
    return { input: () => (isRead ? estimateInput(this.#request) : 0), delivered };
  }

  #bounds({ output, limit }: UsageReport): TokenBounds {
    const { maxOutputTokens, namesSource } = this.#request;
    return {
      mostInput: this.#mostInput(),
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

/** Output tokens in an answer of which only the size is known. */
export function reportBySize(outputBytes: number): Pick<UsageReport, 'output' | 'source'> {
  return { output: estimateOutput(outputBytes), source: 'estimated' };
}
