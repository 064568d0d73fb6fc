// Reads usage reported as `input_tokens` and `output_tokens` with details, as images, speech and transcripts report it. What
// cannot be true counts as not reported.
import type { TokenUsage } from '../../neutral/usage.ts';
import { asRecord } from '../json/json-value.ts';
import { believable } from './merge-counts.ts';

/** What the output is made of where the upstream does not say. */
export type OutputKind = 'text' | 'image' | 'audio';

export function readTypedUsage(usage: unknown, outputKind: OutputKind): TokenUsage | undefined {
  const whole = asRecord(usage) ?? {};
  const input = believable(whole['input_tokens']);
  const output = believable(whole['output_tokens']);
  if (input === undefined || output === undefined) return undefined;
  // The vendor writes one of the two, depending on the endpoint.
  const inputDetails = asRecord(whole['input_tokens_details'] ?? whole['input_token_details']) ?? {};
  const outputDetails = asRecord(whole['output_tokens_details'] ?? whole['output_token_details']) ?? {};
  const outputOf = (kind: OutputKind): number =>
    believable(outputDetails[`${kind}_tokens`], output) ?? (kind === outputKind ? output : 0);
  return {
    input,
    output,
    cachedInput: believable(inputDetails['cached_tokens'], input) ?? 0,
    cacheWrite: 0,
    audioInput: believable(inputDetails['audio_tokens'], input) ?? 0,
    audioOutput: outputOf('audio'),
    imageInput: believable(inputDetails['image_tokens'], input) ?? 0,
    imageOutput: outputOf('image'),
    reasoning: believable(outputDetails['reasoning_tokens'], output) ?? 0,
  };
}
