// What an answer of this protocol says, whole or as the event that ends a stream: the usage, and whether it is an answer.
import type { TokenUsage } from '../../neutral/usage.ts';
import { readField } from '../../shared/json-fields.ts';
import { readTokenUsage } from '../openai-chat/read-usage.ts';

import type { WholeAnswer } from '../protocol.ts';
import { holdsError, scanAnswer } from '../json-answer.ts';

/** `[{"type":"message","id":"...","status":"completed","role":"assistant","content":[...]}]` without its text. */
const OUTPUT_FRAME_BYTES = 200;
const UNFINISHED: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);

export function readResponseAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const output = json.fields.get('output');
  if (!hasError && output?.kind !== 'array') return undefined;
  const outputBytes = output === undefined ? 0 : Math.max(0, output.valueEnd - output.valueStart - OUTPUT_FRAME_BYTES);
  // One that goes on in the background is fetched later for nothing, so all that it may come to is charged now.
  const unfinished = UNFINISHED.has(readField(json, 'status'));
  return {
    usage: unfinished ? undefined : readResponseUsage(readField(json, 'usage')),
    hasError,
    outputBytes: unfinished ? Number.MAX_SAFE_INTEGER : outputBytes,
  };
}

/** The same counts as in chat, under other names. */
export function readResponseUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = usage as Record<string, unknown>;
  return readTokenUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
  });
}
