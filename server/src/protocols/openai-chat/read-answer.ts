// Reads what a compatible upstream says it used, tolerating what upstreams leave out and refusing what cannot be true.
import type { TokenUsage } from '../../neutral/usage.ts';
import type { WholeAnswer } from '../protocol.ts';
import { readField } from '../../shared/json-fields.ts';
import { countText, type TextFields } from '../stream/count-text.ts';
import { holdsError, scanAnswer } from '../json/json-answer.ts';
import type { JsonRecord } from '../json/json-value.ts';
import { claimsImpossible, mergeCounts } from '../stream/merge-counts.ts';
import { extrasOf, URL_CITATION } from './read-extras.ts';

/** More than any model can take or give: a larger count is a fault of the upstream, not a price to pay. */
const MAX_TOKENS = 1e12;

/** The `usage` object of an answer or of a stream's last event; undefined when it cannot be charged by. */
export function readTokenUsage(usage: unknown): TokenUsage | undefined {
  const whole = readRecord(usage);
  const input = readCount(whole['prompt_tokens'], MAX_TOKENS);
  const output = readCount(whole['completion_tokens'], MAX_TOKENS);
  if (input === undefined || output === undefined) return undefined;
  const inputDetails = readRecord(whole['prompt_tokens_details']);
  const outputDetails = readRecord(whole['completion_tokens_details']);
  const cachedInput = readCount(inputDetails['cached_tokens'], input) ?? 0;
  return {
    input,
    output,
    cachedInput,
    cacheWrite: readCount(inputDetails['cache_write_tokens'], input - cachedInput) ?? 0,
    audioInput: readCount(inputDetails['audio_tokens'], input) ?? 0,
    audioOutput: readCount(outputDetails['audio_tokens'], output) ?? 0,
    imageInput: readCount(inputDetails['image_tokens'], input) ?? 0,
    imageOutput: readCount(outputDetails['image_tokens'], output) ?? 0,
    reasoning: readCount(outputDetails['reasoning_tokens'], output) ?? 0,
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
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const choices = json.fields.get('choices');
  if (!hasError && choices?.kind !== 'array') return undefined;
  const reported = readField(json, 'usage');
  const usage = readTokenUsage(reported);
  const serviceTier = readField(json, 'service_tier');
  const extras = extrasOf({ serviceTier, usage: reported, citesWeb: bytes.includes(URL_CITATION) });
  return {
    usage,
    ...(usage === undefined && claimsImpossible(reported, COUNTS) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError,
    outputBytes: choices === undefined ? 0 : countText(bytes.subarray(choices.valueStart, choices.valueEnd), CHAT_TEXT),
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
