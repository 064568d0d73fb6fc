// Reads usage reported as `input_tokens` and `output_tokens` with details, as images, speech and transcripts report it. What
// cannot be true counts as not reported.
import type { TokenUsage } from '../../neutral/usage.ts';

/** More than any model can take or give: a larger count is a fault of the upstream, not a price to pay. */
const MAX_TOKENS = 1e12;

/** What the output is made of where the upstream does not say. */
export type OutputKind = 'text' | 'image' | 'audio';

export function readTypedUsage(usage: unknown, outputKind: OutputKind): TokenUsage | undefined {
  const whole = readRecord(usage);
  const input = readCount(whole['input_tokens'], MAX_TOKENS);
  const output = readCount(whole['output_tokens'], MAX_TOKENS);
  if (input === undefined || output === undefined) return undefined;
  // The vendor writes one of the two, depending on the endpoint.
  const inputDetails = readRecord(whole['input_tokens_details'] ?? whole['input_token_details']);
  const outputDetails = readRecord(whole['output_tokens_details'] ?? whole['output_token_details']);
  const outputOf = (kind: OutputKind): number =>
    readCount(outputDetails[`${kind}_tokens`], output) ?? (kind === outputKind ? output : 0);
  return {
    input,
    output,
    cachedInput: readCount(inputDetails['cached_tokens'], input) ?? 0,
    cacheWrite: 0,
    audioInput: readCount(inputDetails['audio_tokens'], input) ?? 0,
    audioOutput: outputOf('audio'),
    imageInput: readCount(inputDetails['image_tokens'], input) ?? 0,
    imageOutput: outputOf('image'),
    reasoning: readCount(outputDetails['reasoning_tokens'], output) ?? 0,
  };
}

function readRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readCount(value: unknown, max: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max
    ? (value as number)
    : undefined;
}
