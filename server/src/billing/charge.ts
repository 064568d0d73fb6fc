// Usage -> amount due, with the arithmetic in words. Everything is summed exactly and rounded once, at the end.
import type { Group } from '../catalogue/catalogue.ts';
import type { Price, TokenPart, TokensPrice } from '../catalogue/prices.ts';
import { GatewayError } from '../errors/gateway-error.ts';
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

export function chargeText(price: Price, group: Group, tokens: CountedTokens): Charge {
  const amount = amountOf(price, group, tokens);
  if (price.unit !== 'tokens')
    return { amount, arithmetic: `${formatAmount(amountPerRequest(price))} per request${times(group)}` };
  const words = partsOf(price, tokens).map(({ part, count, rate }) => `${count} ${part} x ${formatAmount(rate)}`);
  return { amount, arithmetic: `(${words.join(' + ')}) / 1000000${times(group)}` };
}

/** The amount alone, for holds. */
export function amountOf(price: Price, group: Group, tokens: CountedTokens): bigint {
  if (price.unit !== 'tokens') return divideRounded(amountPerRequest(price) * group.multiplierNano, NANO);
  let sum = 0n;
  for (const { count, rate } of partsOf(price, tokens)) sum += BigInt(count) * rate;
  return divideRounded(sum * group.multiplierNano, MILLION * NANO);
}

function amountPerRequest(price: Exclude<Price, TokensPrice>): bigint {
  if (price.unit === 'request') return price.amount;
  throw new GatewayError('model_not_found', {
    message: `The model is sold per ${price.unit}, which does not fit this endpoint.`,
    param: 'model',
  });
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

function times(group: Group): string {
  return group.multiplier === '1' ? '' : ` x ${group.multiplier} (group ${group.name})`;
}
