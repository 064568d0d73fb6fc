// The price that was in force when a hold was made, as it is kept with the hold: the settle uses it, whatever an operator
// changes meanwhile.
import type { Catalogue, Group, Model } from '../catalogue/catalogue.ts';
import { type Price, readPrice } from '../catalogue/prices.ts';
import { NANO, parseDecimal } from '../shared/decimal.ts';

export interface AgreedPrice {
  /** undefined: it cannot be read. */
  price: Price | undefined;
  /** The group's. */
  multiplier: string;
  /** The model's, where it has one, else null. undefined: it was not kept. */
  maxOutputTokens?: number | null | undefined;
}

export function writeAgreed({ text }: Price, { multiplier }: Group, maxOutputTokens?: number | null): string {
  const limit = maxOutputTokens === undefined ? '' : `,"max_output_tokens":${maxOutputTokens}`;
  return `{"price":${text},"multiplier":"${multiplier}"${limit}}`;
}

export function readAgreed(text: string): AgreedPrice {
  const {
    price,
    multiplier,
    max_output_tokens: maxOutputTokens,
  } = JSON.parse(text) as {
    price: unknown;
    multiplier: string;
    max_output_tokens?: number | null;
  };
  return { price: readPrice(JSON.stringify(price)), multiplier, maxOutputTokens };
}

/** A group that no operator has made costs what the prices say. */
export function groupInForce({ groups }: Pick<Catalogue, 'groups'>, name: string): Group {
  return groups.get(name) ?? groupAt(name, '1');
}

/** The group as it was when the price was agreed. */
export function groupAt(name: string, multiplier: string): Group {
  return { name, multiplier, multiplierNano: parseDecimal(multiplier) ?? NANO, models: undefined };
}

/** The model as it was when the price was agreed, as far as that decides what a call may come to. */
export function modelAt(model: Model, agreed: AgreedPrice | undefined): Model {
  const maxOutputTokens = agreed?.maxOutputTokens;
  return maxOutputTokens === undefined ? model : { ...model, maxOutputTokens: maxOutputTokens ?? undefined };
}
