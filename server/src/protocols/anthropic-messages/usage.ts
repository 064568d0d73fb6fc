// Usage, both directions. On this wire `input_tokens` leaves out what was read from or written to the cache; the neutral
// `input` holds all of it.
import { NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { asRecord, type JsonRecord } from '../json/json-value.ts';
import { believable as count, claimsImpossible, mergeCounts } from '../stream/merge-counts.ts';

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

const COUNTS = ['input_tokens', 'output_tokens'];
const INPUTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** What the events of a stream have reported so far. */
export function mergeUsage(before: JsonRecord, reported: unknown): JsonRecord {
  return mergeCounts(before, reported, INPUTS);
}

/** 0 says nothing of what has come. */
export function reportsOutput(reported: unknown): boolean {
  const output = asRecord(reported)?.['output_tokens'];
  return output !== undefined && output !== 0;
}

/** Counts that cannot be: there is no usage then. */
export function isDoubtful(reported: unknown): boolean {
  return readUsage(reported) === undefined && claimsImpossible(reported, COUNTS);
}

/** Of a message. What another protocol does not report is null, as the vendor's type has it. */
export function writeUsage(usage: TokenUsage | undefined): JsonRecord {
  const unknown = { cache_creation: null, inference_geo: null, service_tier: null, speed: null };
  return { ...writeDeltaUsage(usage), ...unknown };
}

/** Of the event at a stream's end, which has counts only. */
export function writeDeltaUsage(usage: TokenUsage = NO_USAGE): JsonRecord {
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
