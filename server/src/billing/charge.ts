// Usage -> amount due, with the arithmetic in words. Everything is summed exactly and rounded once, at the end.
import type { Group } from '../catalogue/catalogue.ts';
import type { ImagePrice, Price } from '../catalogue/prices.ts';
import { divideRounded, formatAmount, NANO } from './money.ts';
import { type CountedTokens, tokensFraction, tokensWords, unpricedOf } from './token-charge.ts';

export type { CountedTokens } from './token-charge.ts';

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

export function charge(price: Price, group: Group, counted: Counted): Charge {
  const amount = amountOf(price, group, counted);
  const { words, isSum } = wordsOf(price, counted);
  const factor = times(group);
  const sum = isSum && factor !== '' ? `(${words})` : words;
  return { amount, arithmetic: `${sum}${factor}${unpricedWords(price, counted)}` };
}

/** The amount alone, for holds. Everything is multiplied before the one division that rounds. */
export function amountOf(price: Price, group: Group, counted: Counted): bigint {
  const { numerator, denominator } = fractionOf(price, counted);
  return divideRounded(numerator * group.multiplierNano, denominator * NANO);
}

function fractionOf(price: Price, counted: Counted): { numerator: bigint; denominator: bigint } {
  switch (price.unit) {
    case 'tokens':
      return tokensFraction(price, counted);
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

function wordsOf(price: Price, counted: Counted): { words: string; isSum: boolean } {
  return price.unit === 'tokens' ? tokensWords(price, counted) : { words: plainWords(price, counted), isSum: false };
}

function unpricedWords(price: Price, counted: Counted): string {
  const names = unpricedOf(price.unit === 'tokens' ? price : {}, counted).map(({ kind, name, uses }) =>
    kind === 'tool' ? `${uses} ${name}` : `tier ${name}`,
  );
  return names.length === 0 ? '' : `; unpriced: ${names.join(', ')}`;
}

function plainWords(price: Price, counted: Counted): string {
  switch (price.unit) {
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

/** The price of the very size and quality, else of the size, else the plain one. `4k` is `4K`, as it is to upstreams. */
function imageAmount(price: ImagePrice, { imageSize, imageQuality }: Counted): bigint {
  const size = imageSize?.toLowerCase();
  return price.by.get(`${size}/${imageQuality?.toLowerCase()}`) ?? price.by.get(size ?? '') ?? price.amount;
}

/** The group's part of the arithmetic. */
export function times(group: Group): string {
  return group.multiplier === '1' ? '' : ` x ${group.multiplier} (group ${group.name})`;
}
