// Usage as Cohere shows it: tokens as the model counts them, and those that are billed, which here are the same.
import { NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { asCount, asRecord, type JsonRecord } from '../json/json-value.ts';
import { believable, claimsImpossible } from '../stream/merge-counts.ts';

const COUNTS = ['input_tokens', 'output_tokens'];

export function writeUsage({ input, output, cachedInput }: TokenUsage): JsonRecord {
  const tokens = { input_tokens: input, output_tokens: output };
  return { billed_units: tokens, tokens, cached_tokens: cachedInput };
}

/** undefined when it cannot be charged by. `tokens` count the whole prompt, `billed_units` may leave parts of it out. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  const reported = asRecord(usage);
  const { input_tokens, output_tokens } = countsIn(reported);
  const input = believable(input_tokens);
  const output = believable(output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const cached = asCount(reported?.['cached_tokens']) ?? 0;
  return { ...NO_USAGE, input, output, cachedInput: Math.min(cached, input) };
}

export function isDoubtful(usage: unknown): boolean {
  return readUsage(usage) === undefined && claimsImpossible(countsIn(asRecord(usage)), COUNTS);
}

function countsIn(reported: JsonRecord | undefined): JsonRecord {
  return asRecord(reported?.['tokens']) ?? asRecord(reported?.['billed_units']) ?? {};
}
