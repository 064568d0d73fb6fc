// What money must know of a request, and what its tokens can be beside plain text, by its operation and its body.
import type { Operation, RelayRequest } from '../protocols/protocol.ts';
import { costsMore, type PossibleParts } from '../billing/highest-cost.ts';
import type { Price } from '../catalogue/prices.ts';

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

const IMAGES: PossibleParts = { media: ['image_input'], output: ['image_output'] };
const HEARD: PossibleParts = { media: ['audio_input'] };

/** Operations whose tokens are of other things than text; what is written down of audio is text. */
const PARTS_OF: Partial<Record<Operation, PossibleParts>> = {
  'image-generation': IMAGES,
  'image-edit': IMAGES,
  speech: { output: ['audio_output'] },
  transcription: HEARD,
  translation: HEARD,
};
/** All of it is text. */
export const PLAIN: PossibleParts = {};
/** Which of them a piece of media is, nobody says; it may also be kept as text is. */
const EMBEDDED = ['audio_input', 'image_input'] as const;
const KEPT = ['cache_write'] as const;

/** Of an answer without usage: an answer to a request for text is taken for text, whatever else it might have had. */
export function partsOfAnswer(operation: Operation): PossibleParts {
  return PARTS_OF[operation] ?? PLAIN;
}

/** The most that a request can have, for what is held. */
export function partsToHold(operation: Operation, request: BilledRequest, price: Price): PossibleParts {
  return PARTS_OF[operation] ?? partsOfText(request, price);
}

function partsOfText({ mediaCount, outputMedia, marksCache }: BilledRequest, price: Price): PossibleParts {
  const text = marksCache !== undefined && costsMore(price, 'cache_write') && marksCache() ? KEPT : undefined;
  if (mediaCount === 0 && outputMedia === undefined && text === undefined) return PLAIN;
  return {
    ...(text !== undefined && { text }),
    media: text === undefined ? EMBEDDED : [...EMBEDDED, ...text],
    output: (outputMedia ?? []).map((medium) => `${medium}_output` as const),
  };
}
