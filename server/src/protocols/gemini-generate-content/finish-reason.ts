// Why a model stopped, both directions. https://ai.google.dev/api/generate-content#FinishReason
import type { FinishReason } from '../../neutral/finish-reason.ts';

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['LANGUAGE', 'failed'],
  ['OTHER', 'failed'],
  ['MALFORMED_FUNCTION_CALL', 'failed'],
  ['UNEXPECTED_TOOL_CALL', 'failed'],
  ['TOO_MANY_TOOL_CALLS', 'failed'],
  ['MISSING_THOUGHT_SIGNATURE', 'failed'],
  ['MALFORMED_RESPONSE', 'failed'],
  ['NO_IMAGE', 'failed'],
  ['IMAGE_OTHER', 'failed'],
]);

const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
  pause: 'OTHER',
  failed: 'OTHER',
  other: 'OTHER',
};

/** The protocol has no word for a stop to call tools: the calls themselves say it. */
export function readFinishReason(word: string, callsTools: boolean): FinishReason {
  const reason = REASONS.get(word) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool-calls' : reason;
}

export function writeFinishReason(reason: FinishReason): string {
  return WORDS[reason];
}
