// The price that was in force when a hold was made, as it is kept with the hold: the settle uses it, whatever an operator
// changes meanwhile.
import type { Catalogue, Group } from '../catalogue/catalogue.ts';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { NANO, parseDecimal } from '../shared/decimal.ts';

export interface AgreedPrice {
  /** undefined: it cannot be read. */
  price: Price | undefined;
  /** The group's. */
  multiplier: string;
}

export function writeAgreed({ text }: Price, { multiplier }: Group): string {
  return `{"price":${text},"multiplier":"${multiplier}"}`;
}

export function readAgreed(text: string): AgreedPrice {
  const { price, multiplier } = JSON.parse(text) as { price: unknown; multiplier: string };
  return { price: readPrice(JSON.stringify(price)), multiplier };
}

/** A group that no operator has made costs what the prices say. */
export function groupInForce({ groups }: Pick<Catalogue, 'groups'>, name: string): Group {
  return groups.get(name) ?? groupAt(name, '1');
}

/** The group as it was when the price was agreed. */
export function groupAt(name: string, multiplier: string): Group {
  return { name, multiplier, multiplierNano: parseDecimal(multiplier) ?? NANO, models: undefined };
}
