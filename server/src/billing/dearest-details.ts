// What tokens may turn out to be, before anybody says: the dearest that the request can come to, so that what is held
// bounds the charge.
import type { Price, TokenPart, TokensPrice } from '../catalogue/prices.ts';
import type { CountedTokens } from './charge.ts';

export type InputPart = 'cache_write' | 'audio_input' | 'image_input';
export type OutputPart = 'audio_output' | 'image_output';

/** What the tokens of a request can be beside plain ones. */
export interface PossibleParts {
  /** The input that is no media. */
  text?: readonly InputPart[];
  media?: readonly InputPart[];
  output?: readonly OutputPart[];
}

interface EstimatedTokens {
  input: number;
  /** The part of the input that is media. */
  mediaInput: number;
  output: number;
}

const DETAILS = {
  cache_write: 'cacheWrite',
  audio_input: 'audioInput',
  image_input: 'imageInput',
  audio_output: 'audioOutput',
  image_output: 'imageOutput',
} as const satisfies Partial<Record<TokenPart, keyof CountedTokens>>;

type Details = Pick<CountedTokens, (typeof DETAILS)[InputPart | OutputPart]>;

/** Counts of what has a rate of its own above the plain one; all else stays plain. */
export function dearestDetails(price: Price, { text, media, output }: PossibleParts, tokens: EstimatedTokens): Details {
  const details: Details = {};
  if (price.unit !== 'tokens') return details;
  const add = (part: InputPart | OutputPart | undefined, count: number): void => {
    if (part !== undefined) details[DETAILS[part]] = (details[DETAILS[part]] ?? 0) + count;
  };
  if (text !== undefined) add(dearest(price, 'input', text), tokens.input - tokens.mediaInput);
  if (media !== undefined) add(dearest(price, 'input', media), tokens.mediaInput);
  if (output !== undefined) add(dearest(price, 'output', output), tokens.output);
  return details;
}

/** Is such a token dearer than one of plain input? */
export function isDearer(price: Price, part: InputPart): boolean {
  if (price.unit !== 'tokens') return false;
  const rate = price.perMillion[part];
  return rate !== undefined && rate > price.perMillion.input;
}

/** undefined when none is above the plain one. */
function dearest<Part extends TokenPart>(
  { perMillion }: TokensPrice,
  plain: 'input' | 'output',
  parts: readonly Part[],
): Part | undefined {
  let found: Part | undefined;
  let highest = perMillion[plain];
  for (const part of parts) {
    const rate: bigint | undefined = perMillion[part];
    if (rate !== undefined && rate > highest) [found, highest] = [part, rate];
  }
  return found;
}
