// The price that was in force when a hold was made, as it is kept with the hold.
import { type Price, readPrice } from '../catalogue/prices.ts';
import { parseDecimal } from '../shared/decimal.ts';

export interface AgreedPrice {
  price: Price | undefined;
  multiplier: string;
  multiplierNano: bigint;
}

export function readAgreed(text: string): AgreedPrice {
  const { price, multiplier } = JSON.parse(text) as { price: unknown; multiplier: string };
  const multiplierNano = parseDecimal(multiplier) ?? 1_000_000_000n;
  return { price: readPrice(JSON.stringify(price)), multiplier, multiplierNano };
}
