// Money and multipliers on the wire: decimal strings, because JSON numbers lose digits. Nine digits before the point keep
// every amount inside the 64-bit nano-units of the store.
import { z } from 'zod';

const MAXIMUM_FACTOR = 1000;

const decimal = (pattern: RegExp, sentence: string) =>
  z
    .string({
      error: (issue) =>
        issue.input === undefined ? undefined : 'must be a decimal string such as "12.5", not a JSON number',
    })
    .regex(pattern, sentence);

/** Not negative. */
export const amount = decimal(
  /^\d{1,9}(?:\.\d{1,9})?$/,
  'must be a decimal string that is not negative, with up to 9 digits before and 9 after the point',
);

/** A minus sign takes. */
export const signedAmount = decimal(
  /^-?\d{1,9}(?:\.\d{1,9})?$/,
  'must be a decimal string with up to 9 digits before and 9 after the point',
);

/** What prices are multiplied by; bounded, so that a slip of the hand cannot empty every balance. */
export const factor = amount.refine((text) => Number(text) <= MAXIMUM_FACTOR, `must be at most ${MAXIMUM_FACTOR}`);

/** As the gateway writes amounts: it may hold more digits than anybody may type. */
export const amountAnswer = z.string();
