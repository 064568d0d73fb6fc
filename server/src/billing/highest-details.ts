// What tokens may turn out to be, before anybody says: the most expensive that the request can come to, so that what is held
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
export function highestDetails(price: Price, { text, media, output }: PossibleParts, tokens: EstimatedTokens): Details {
  const details: Details = {};
  if (price.unit !== 'tokens') return details;
  const add = (part: InputPart | OutputPart | undefined, count: number): void => {
    if (part !== undefined) details[DETAILS[part]] = (details[DETAILS[part]] ?? 0) + count;
  };
  if (text !== undefined) add(highestPart(price, 'input', text), tokens.input - tokens.mediaInput);
  if (media !== undefined) add(highestPart(price, 'input', media), tokens.mediaInput);
  if (output !== undefined) add(highestPart(price, 'output', output), tokens.output);
  return details;
}

/** Does such a token cost more than one of plain input? */
export function costsMore(price: Price, part: InputPart): boolean {
  if (price.unit !== 'tokens') return false;
  const rate = price.perMillion[part];
  return rate !== undefined && rate > price.perMillion.input;
}

/** undefined when none is above the plain one. */
function highestPart<Part extends TokenPart>(
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
