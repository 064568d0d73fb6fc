// Rate policies: of a token, and of an account over all its tokens.
import { z } from 'zod';

const limit = z.int().min(1).max(1_000_000_000).nullable();

export const rateAnswer = z.object({ rpm: limit, tpm: limit, concurrency: limit });
/** Limits that are not given are not changed, or not set; null lifts all of them. */
export const ratePatch = z.strictObject({ rpm: limit, tpm: limit, concurrency: limit }).partial().nullable();

export type Rate = z.infer<typeof rateAnswer>;
export type RatePatch = z.infer<typeof ratePatch>;
