// Usage -> amount due, with the arithmetic in words. Everything is summed exactly and rounded once, at the end.
import type { Group } from '../catalogue/catalogue.ts';
import type { ImagePrice, Price, TokenPart, TokensPrice } from '../catalogue/prices.ts';
import { divideRounded, formatAmount, NANO } from './money.ts';

/** Counts of one call; details are parts of `input` or `output`. */
export interface CountedTokens {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  audioInput?: number;
  audioOutput?: number;
  imageInput?: number;
  imageOutput?: number;
}

/** Everything a call may be charged by. */
export interface Counted extends CountedTokens {
  images: number;
  imageSize?: string | undefined;
  imageQuality?: string | undefined;
  characters: number;
  audioMs: number;
  searches: number;
}

export interface Charge {
  amount: bigint;
  /** How the amount came about, in words. */
  arithmetic: string;
}

const MILLION = 1_000_000n;

const INPUT_DETAILS = [
  ['cached_input', 'cachedInput'],
  ['cache_write', 'cacheWrite'],
  ['audio_input', 'audioInput'],
  ['image_input', 'imageInput'],
] as const satisfies Detail[];
const OUTPUT_DETAILS = [
  ['audio_output', 'audioOutput'],
  ['image_output', 'imageOutput'],
] as const satisfies Detail[];

export function charge(price: Price, group: Group, counted: Counted): Charge {
  const amount = amountOf(price, group, counted);
  return { amount, arithmetic: `${wordsOf(price, counted)}${times(group)}` };
}

/** The amount alone, for holds. Everything is multiplied before the one division that rounds. */
export function amountOf(price: Price, group: Group, counted: Counted): bigint {
  const { numerator, denominator } = fractionOf(price, counted);
  return divideRounded(numerator * group.multiplierNano, denominator * NANO);
}

function fractionOf(price: Price, counted: Counted): { numerator: bigint; denominator: bigint } {
  switch (price.unit) {
    case 'tokens': {
      let sum = 0n;
      for (const { count, rate } of partsOf(price, counted)) sum += BigInt(count) * rate;
      return { numerator: sum, denominator: MILLION };
    }
    case 'request':
      return { numerator: price.amount, denominator: 1n };
    case 'search':
      return { numerator: price.amount * BigInt(counted.searches), denominator: 1n };
    case 'image':
      return { numerator: imageAmount(price, counted) * BigInt(counted.images), denominator: 1n };
    case 'characters':
      return { numerator: price.amount * BigInt(counted.characters), denominator: MILLION };
    case 'audio_second':
      return { numerator: price.amount * BigInt(counted.audioMs), denominator: 1000n };
    default:
      throw new Error(`no call is charged by ${price.unit} here`);
  }
}

function wordsOf(price: Price, counted: Counted): string {
  switch (price.unit) {
    case 'tokens': {
      let words = '';
      for (const { part, count } of partsOf(price, counted))
        words += `${words === '' ? '' : ' + '}${count} ${part} x ${rateWords(price, part)}`;
      return `(${words}) / 1000000`;
    }
    case 'request':
      return `${formatAmount(price.amount)} per request`;
    case 'search':
      return `${counted.searches} searches x ${formatAmount(price.amount)}`;
    case 'image': {
      const key = [counted.imageSize, counted.imageQuality].filter((one) => one !== undefined).join('/');
      return `${counted.images} images${key === '' ? '' : ` of ${key}`} x ${formatAmount(imageAmount(price, counted))}`;
    }
    case 'characters':
      return `${counted.characters} characters x ${formatAmount(price.amount)} / 1000000`;
    case 'audio_second':
      return `${counted.audioMs / 1000} seconds x ${formatAmount(price.amount)}`;
    default:
      return '';
  }
}

/** A price is charged by many times before it changes. */
const ratesInWords = new WeakMap<TokensPrice, Partial<Record<TokenPart, string>>>();

function rateWords(price: TokensPrice, part: TokenPart): string {
  let words = ratesInWords.get(price);
  if (words === undefined) ratesInWords.set(price, (words = {}));
  return (words[part] ??= formatAmount(price.perMillion[part] ?? 0n));
}

/** The price of the very size and quality, else of the size, else the plain one. `4k` is `4K`, as it is to upstreams. */
function imageAmount(price: ImagePrice, { imageSize, imageQuality }: Counted): bigint {
  const size = imageSize?.toLowerCase();
  return price.by.get(`${size}/${imageQuality?.toLowerCase()}`) ?? price.by.get(size ?? '') ?? price.amount;
}

function partsOf(price: TokensPrice, tokens: CountedTokens): PricedPart[] {
  const parts: PricedPart[] = [];
  split(price, { part: 'input', count: tokens.input }, INPUT_DETAILS, tokens, parts);
  split(price, { part: 'output', count: tokens.output }, OUTPUT_DETAILS, tokens, parts);
  return parts;
}

interface PricedPart {
  part: TokenPart;
  count: number;
  rate: bigint;
}

type Detail = readonly [TokenPart, Exclude<keyof CountedTokens, 'input' | 'output'>];

/** Details with a price of their own are taken out of the whole; the rest is charged as plain input or output. */
function split(
  price: TokensPrice,
  whole: { part: 'input' | 'output'; count: number },
  details: readonly Detail[],
  tokens: CountedTokens,
  parts: PricedPart[],
): void {
  const plain: PricedPart = { ...whole, rate: price.perMillion[whole.part] };
  parts.push(plain);
  for (const [part, key] of details) {
    const rate = price.perMillion[part];
    const taken = Math.min(plain.count, tokens[key] ?? 0);
    if (rate === undefined || taken === 0) continue;
    parts.push({ part, count: taken, rate });
    plain.count -= taken;
  }
}

/** The group's part of the arithmetic. */
export function times(group: Group): string {
  return group.multiplier === '1' ? '' : ` x ${group.multiplier} (group ${group.name})`;
}
