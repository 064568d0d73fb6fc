// What an answer of this protocol says, whole or as the event that ends a stream: the usage, and whether it is an answer.
import type { TokenUsage } from '../../neutral/usage.ts';
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { readTokenUsage } from '../openai-chat/read-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import type { TextFields } from '../stream/count-text.ts';
import { countTextIn, scanAnswer, scanResult } from '../json/json-answer.ts';
import { asRecord } from '../json/json-value.ts';
import { claimsImpossible } from '../stream/merge-counts.ts';
import { extrasOfAnswer } from './read-extras.ts';

/** Where the items of the output hold what the model made; `results` and `output` are what a tool gave. */
const OUTPUT_TEXT: TextFields = {
  each: {
    text: 'text',
    refusal: 'text',
    arguments: 'text',
    input: 'value',
    code: 'text',
    diff: 'text',
    encrypted_content: 'text',
    result: 'image',
    logprobs: 'skip',
    annotations: 'skip',
    results: 'skip',
    outputs: 'skip',
    output: 'skip',
    tools: 'skip',
  },
};
/** Of responses and of interactions, which say the same words: when their answers are charged hangs on them. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);

export function readResponseAnswer(bytes: Buffer): WholeAnswer | undefined {
  const scanned = scanResult(bytes, 'output');
  if (scanned === undefined) return undefined;
  const { json, hasError, result } = scanned;
  // One that goes on in the background may come to all that was held for it.
  const unfinished = isUnfinished(json);
  const reported = unfinished ? undefined : readField(json, 'usage');
  const extras = extrasOfAnswer(json);
  return {
    usage: readResponseUsage(reported),
    ...(isDoubtful(reported) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError,
    outputBytes: unfinished ? Number.MAX_SAFE_INTEGER : countTextIn(json, result, OUTPUT_TEXT),
  };
}

/** It goes on in the background. */
export function isUnfinished(json: JsonObject): boolean {
  return UNFINISHED.has(readField(json, 'status'));
}

/** Its request was answered before it was made. */
export function ranInBackground(bytes: Buffer): boolean {
  const json = scanAnswer(bytes);
  return json !== undefined && readField(json, 'background') === true;
}

/** How a response stands that may have been left to run in the background. */
export interface ResponseState {
  isOver: boolean;
  /** Over, and with something to charge for. */
  isDue: boolean;
  answer: WholeAnswer;
}

/** undefined when the bytes are no response. */
export function readResponseState(bytes: Buffer): ResponseState | undefined {
  return stateOf(bytes, readResponseAnswer(bytes));
}

/** By the status beside what was read. */
export function stateOf(bytes: Buffer, answer: WholeAnswer | undefined): ResponseState | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined || answer === undefined) return undefined;
  const status = readField(json, 'status');
  const isOver = !isUnfinished(json);
  // One that failed made nothing unless it says so; one that was cancelled may have got somewhere.
  const made = answer.usage !== undefined || (status === 'cancelled' && answer.outputBytes > 0);
  return { isOver, isDue: isOver && (made || (status !== 'failed' && status !== 'cancelled')), answer };
}

/** Counts that cannot be: there is no usage then. */
export function isDoubtful(reported: unknown): boolean {
  return readResponseUsage(reported) === undefined && claimsImpossible(reported, ['input_tokens', 'output_tokens']);
}

/** The same counts as in chat, under other names. */
export function readResponseUsage(usage: unknown): TokenUsage | undefined {
  const reported = asRecord(usage) ?? {};
  return readTokenUsage({
    prompt_tokens: reported['input_tokens'],
    completion_tokens: reported['output_tokens'],
    prompt_tokens_details: reported['input_tokens_details'],
    completion_tokens_details: reported['output_tokens_details'],
  });
}
