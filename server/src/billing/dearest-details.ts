// What tokens may turn out to be of, before anybody says: the dearest kind that the operation can have, so that what is
// held bounds the charge.
import type { Price, TokenPart } from '../catalogue/prices.ts';
import type { CountedTokens } from './charge.ts';

export type Medium = 'audio' | 'image';

/** What the media of an operation are, as far as it has any. */
export interface OperationMedia {
  input?: Medium;
  output?: Medium;
}

interface EstimatedTokens {
  /** The part of the input that is media. */
  mediaInput: number;
  output: number;
}

type Details = Pick<CountedTokens, 'audioInput' | 'imageInput' | 'audioOutput' | 'imageOutput'>;

/** Counts of media that have a rate of their own above the plain one; all others stay plain. */
export function dearestDetails(price: Price, media: OperationMedia, tokens: EstimatedTokens): Details {
  const details: Details = {};
  if (media.input !== undefined && isDearer(price, `${media.input}_input`, 'input'))
    details[`${media.input}Input`] = tokens.mediaInput;
  if (media.output !== undefined && isDearer(price, `${media.output}_output`, 'output'))
    details[`${media.output}Output`] = tokens.output;
  return details;
}

function isDearer(price: Price, part: TokenPart, plain: 'input' | 'output'): boolean {
  if (price.unit !== 'tokens') return false;
  const rate = price.perMillion[part];
  return rate !== undefined && rate > price.perMillion[plain];
}
