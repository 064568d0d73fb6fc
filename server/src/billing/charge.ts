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
  arithmetic: string;
}

const MILLION = 1_000_000n;

const INPUT_DETAILS = [
  ['cached_input', 'cachedInput'],
  ['cache_write', 'cacheWrite'],
  ['audio_input', 'audioInput'],
  ['image_input', 'imageInput'],
] as const;
const OUTPUT_DETAILS = [
  ['audio_output', 'audioOutput'],
  ['image_output', 'imageOutput'],
] as const;

export function chargeText(price: Price, group: Group, tokens: CountedTokens): Charge {
  switch (price.unit) {
    case 'tokens':
      return chargeTokens(price, group, tokens);
    case 'request':
      return {
        amount: divideRounded(price.amount * group.multiplierNano, NANO),
        arithmetic: `${formatAmount(price.amount)} per request${times(group)}`,
      };
    default:
      throw new GatewayError('no_channel_available', {
        message: `The model's price is per ${price.unit}, which does not fit this endpoint.`,
      });
  }
}

function chargeTokens(price: TokensPrice, group: Group, tokens: CountedTokens): Charge {
  const parts = [
    ...split(
      price,
      'input',
      tokens.input,
      INPUT_DETAILS.map(([part, key]) => [part, tokens[key] ?? 0]),
    ),
    ...split(
      price,
      'output',
      tokens.output,
      OUTPUT_DETAILS.map(([part, key]) => [part, tokens[key] ?? 0]),
    ),
  ];
  const sum = parts.reduce((total, { count, rate }) => total + BigInt(count) * rate, 0n);
  const words = parts.map(({ part, count, rate }) => `${count} ${part} x ${formatAmount(rate)}`).join(' + ');
  return {
    amount: divideRounded(sum * group.multiplierNano, MILLION * NANO),
    arithmetic: `(${words}) / 1000000${times(group)}`,
  };
}

interface PricedPart {
  part: TokenPart;
  count: number;
  rate: bigint;
}

/** Details with a price of their own are taken out of the whole; the rest is charged as plain input or output. */
function split(
  price: TokensPrice,
  whole: 'input' | 'output',
  count: number,
  details: [TokenPart, number][],
): PricedPart[] {
  const parts: PricedPart[] = [];
  let rest = count;
  for (const [part, wanted] of details) {
    const rate = price.perMillion[part];
    const taken = Math.min(rest, wanted);
    if (rate === undefined || taken === 0) continue;
    parts.push({ part, count: taken, rate });
    rest -= taken;
  }
  return [{ part: whole, count: rest, rate: price.perMillion[whole] }, ...parts];
}

function times(group: Group): string {
  return group.multiplier === '1' ? '' : ` x ${group.multiplier} (group ${group.name})`;
}
