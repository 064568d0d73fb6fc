// Reads what a compatible upstream says it used, tolerating what upstreams leave out and refusing what cannot be true.
import type { TokenUsage } from '../../neutral/usage.ts';
import type { WholeAnswer } from '../protocol.ts';
import { readField } from '../../shared/json-fields.ts';
import type { TextFields } from '../stream/count-text.ts';
import { countTextIn, scanResult } from '../json/json-answer.ts';
import { asRecord, type JsonRecord } from '../json/json-value.ts';
import { believable, claimsImpossible, mergeCounts } from '../stream/merge-counts.ts';
import { extrasOf, URL_CITATION } from './read-extras.ts';

/** The `usage` object of an answer or of a stream's last event; undefined when it cannot be charged by. */
export function readTokenUsage(usage: unknown): TokenUsage | undefined {
  const whole = asRecord(usage) ?? {};
  const input = believable(whole['prompt_tokens']);
  const output = believable(whole['completion_tokens']);
  if (input === undefined || output === undefined) return undefined;
  const inputDetails = asRecord(whole['prompt_tokens_details']) ?? {};
  const outputDetails = asRecord(whole['completion_tokens_details']) ?? {};
  const cachedInput = believable(inputDetails['cached_tokens'], input) ?? 0;
  return {
    input,
    output,
    cachedInput,
    cacheWrite: believable(inputDetails['cache_write_tokens'], input - cachedInput) ?? 0,
    audioInput: believable(inputDetails['audio_tokens'], input) ?? 0,
    audioOutput: believable(outputDetails['audio_tokens'], output) ?? 0,
    imageInput: believable(inputDetails['image_tokens'], input) ?? 0,
    imageOutput: believable(outputDetails['image_tokens'], output) ?? 0,
    reasoning: believable(outputDetails['reasoning_tokens'], output) ?? 0,
  };
}

/** What the chunks of a stream have reported so far: the last value of each field. */
export class ReportedUsage {
  usage: TokenUsage | undefined;
  #counts: JsonRecord = {};

  add(reported: unknown): void {
    this.#counts = mergeCounts(this.#counts, reported, INPUTS);
    this.usage = readTokenUsage(this.#counts) ?? this.usage;
  }

  get isDoubtful(): boolean {
    return this.usage === undefined && claimsImpossible(this.#counts, COUNTS);
  }
}

const INPUTS = ['prompt_tokens', 'prompt_tokens_details'];
const COUNTS = ['prompt_tokens', 'completion_tokens'];

/** Where the choices hold output, whole or as pieces, here and in completions. Upstreams show reasoning under several names. */
export const CHAT_TEXT: TextFields = {
  each: {
    content: 'text',
    refusal: 'text',
    arguments: 'text',
    // of a call of a custom tool
    input: 'text',
    // of sound, or of sealed reasoning
    data: 'text',
    logprobs: 'skip',
    annotations: 'skip',
    executed_tools: 'skip',
  },
  oneOf: ['reasoning_content', 'reasoning', 'thinking', 'text'],
};

/** What a whole (not streamed) chat answer says; undefined when it is no such answer. Only `usage` is built. */
export function readWholeAnswer(bytes: Buffer): WholeAnswer | undefined {
  const scanned = scanResult(bytes, 'choices');
  if (scanned === undefined) return undefined;
  const { json, hasError, result } = scanned;
  const reported = readField(json, 'usage');
  const usage = readTokenUsage(reported);
  const serviceTier = readField(json, 'service_tier');
  const extras = extrasOf({ serviceTier, usage: reported, citesWeb: bytes.includes(URL_CITATION) });
  return {
    usage,
    ...(usage === undefined && claimsImpossible(reported, COUNTS) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError,
    outputBytes: countTextIn(json, result, CHAT_TEXT),
  };
}
