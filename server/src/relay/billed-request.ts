// What money must know of a request.
import type { RelayRequest } from '../protocols/protocol.ts';

/** The rest of a request is not needed to charge it later. */
export type BilledRequest = Pick<
  RelayRequest,
  | 'maxOutputTokens'
  | 'choices'
  | 'inputBytes'
  | 'mediaCount'
  | 'refersElsewhere'
  | 'namesSource'
  | 'mayNameSource'
  | 'marksCache'
  | 'serviceTiers'
  | 'serverTools'
  | 'outputMedia'
  | 'images'
  | 'characters'
  | 'audioMs'
  | 'audioIsGuessed'
  | 'background'
>;
