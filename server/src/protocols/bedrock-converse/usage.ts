// Usage of an answer. On this wire `inputTokens` leaves out what was read from or written to the cache; the neutral `input`
// holds all of it. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
import { readTier } from '../../neutral/service-tier.ts';
import { type Extras, NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { asRecord, type JsonRecord } from '../json/json-value.ts';
import { believable as count, claimsImpossible } from '../stream/merge-counts.ts';

export function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asRecord(value) ?? {};
  const fresh = count(usage['inputTokens']);
  const output = count(usage['outputTokens']);
  if (fresh === undefined || output === undefined) return undefined;
  const cachedInput = count(usage['cacheReadInputTokens']) ?? 0;
  const cacheWrite = count(usage['cacheWriteInputTokens']) ?? 0;
  return { ...NO_USAGE, input: fresh + cachedInput + cacheWrite, output, cachedInput, cacheWrite };
}

/** Counts that cannot be: there is no usage then. */
export function isDoubtful(reported: unknown): boolean {
  return readUsage(reported) === undefined && claimsImpossible(reported, ['inputTokens', 'outputTokens']);
}

/** From the answer, or from the event with the usage. */
export function readExtras(answer: JsonRecord): Extras | undefined {
  const serviceTier = readTier(asRecord(answer['serviceTier'])?.['type']);
  return serviceTier === undefined ? undefined : { serviceTier };
}
