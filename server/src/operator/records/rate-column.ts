// Rate policies as they stand in a column.
import type { Rate, RatePatch } from '#contract/values/rate.ts';

const NO_RATE: Rate = { rpm: null, tpm: null, concurrency: null };

export function readRate(text: string): Rate {
  return { ...NO_RATE, ...(JSON.parse(text) as Partial<Rate>) };
}

/** What a patch makes of the column. */
export function writeRate(before: string, patch: RatePatch): string {
  return JSON.stringify(patch === null ? NO_RATE : { ...readRate(before), ...patch });
}
