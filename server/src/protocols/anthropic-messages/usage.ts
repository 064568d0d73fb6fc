// Usage, both directions. On this wire `input_tokens` leaves out what was read from or written to the cache; the neutral
// `input` holds all of it.
import { NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { asCount, asRecord, type JsonRecord } from '../json-value.ts';

/** More than any model can take or give: a larger count is a fault of the upstream, not a price to pay. */
const MAX_TOKENS = 1e12;

export function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asRecord(value) ?? {};
  const fresh = count(usage['input_tokens']);
  const output = count(usage['output_tokens']);
  if (fresh === undefined || output === undefined) return undefined;
  const cachedInput = count(usage['cache_read_input_tokens']) ?? 0;
  const cacheWrite = count(usage['cache_creation_input_tokens']) ?? 0;
  const thinking = count(asRecord(usage['output_tokens_details'])?.['thinking_tokens']) ?? 0;
  return {
    ...NO_USAGE,
    input: fresh + cachedInput + cacheWrite,
    output,
    cachedInput,
    cacheWrite,
    reasoning: Math.min(thinking, output),
  };
}

/** Events of a stream tell totals so far, and leave out what does not apply: the largest told is the truth. */
export function mergeUsage(before: JsonRecord, told: unknown): JsonRecord {
  const merged: JsonRecord = { ...before };
  for (const [name, value] of Object.entries(asRecord(told) ?? {})) {
    if (value === null) continue;
    const known = count(merged[name]);
    merged[name] = known === undefined ? value : Math.max(known, count(value) ?? 0);
  }
  return merged;
}

export function writeUsage(usage: TokenUsage = NO_USAGE): JsonRecord {
  const { input, output, cachedInput, cacheWrite, reasoning } = usage;
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    output_tokens: output,
    output_tokens_details: reasoning > 0 ? { thinking_tokens: reasoning } : null,
    server_tool_use: null,
  };
}

function count(value: unknown): number | undefined {
  const told = asCount(value);
  return told === undefined || told > MAX_TOKENS ? undefined : told;
}
