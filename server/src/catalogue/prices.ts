// Prices as the gateway computes with them: whole nano-units. The operator's decimal text is read here once.
import { parseDecimal } from '../shared/decimal.ts';
import { readTokensPrice, type TokensPrice } from './token-prices.ts';
import { readVideoPrice, type VideoPrice } from './video-prices.ts';

export type { TokenPart, TokenRates, TokensPrice } from './token-prices.ts';

const AMOUNT_UNITS = ['request', 'characters', 'audio_second', 'search'] as const;

/** One amount: per call, per million characters, per second of audio, per search. */
export interface AmountPrice {
  unit: (typeof AMOUNT_UNITS)[number];
  amount: bigint;
}

export interface ImagePrice {
  unit: 'image';
  amount: bigint;
  /** Amounts of their own for `size` or `size/quality`. */
  by: ReadonlyMap<string, bigint>;
}

export type Price = (TokensPrice | AmountPrice | ImagePrice | VideoPrice) & {
  /** The operator's own text, stored with each hold. */
  text: string;
};

/**
 * The price in a model's column (contract section 6). Text that is no price we understand reads as none: the model is
 * then not for sale, which is safer than a guess.
 */
export function readPrice(text: string | null): Price | undefined {
  const fields = text === null ? undefined : readFields(text);
  if (text === null || fields === undefined) return undefined;
  if (fields['unit'] === 'tokens') {
    const tokens = readTokensPrice(fields, readAmount);
    return tokens === undefined ? undefined : { ...tokens, text };
  }
  if (fields['unit'] === 'image') return readImagePrice(fields, text);
  const plain = AMOUNT_UNITS.find((known) => known === fields['unit']);
  if (plain !== undefined) {
    const amount = readAmount(fields['amount']);
    return amount === undefined ? undefined : { unit: plain, amount, text };
  }
  const video = readVideoPrice(fields, readAmount);
  return video === undefined ? undefined : { ...video, text };
}

function readImagePrice(fields: Record<string, unknown>, text: string): Price | undefined {
  const amount = readAmount(fields['amount']);
  if (amount === undefined) return undefined;
  const by = new Map<string, bigint>();
  for (const [key, value] of Object.entries((fields['by'] ?? {}) as Record<string, unknown>)) {
    const own = readAmount(value);
    if (own === undefined) return undefined;
    by.set(key.toLowerCase(), own);
  }
  return { unit: 'image', amount, by, text };
}

function readFields(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readAmount(value: unknown): bigint | undefined {
  const amount = typeof value === 'string' ? parseDecimal(value) : undefined;
  return amount === undefined || amount < 0n ? undefined : amount;
}
