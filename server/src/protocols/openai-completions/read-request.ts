// Reads what the gateway must know of a completions request: the route, the stream and what it may cost.
import { arrayLength, type JsonField, type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import { inputSize, larger, readJsonBody, readModel, readWhole, requireFilled } from '../json/json-request.ts';
import type { ChatRequest } from '../openai-chat/read-request.ts';
import { readAsksUsage } from '../stream/stream-options.ts';
import { completionFields, decidingFields, MAX_CHOICES } from './wire.ts';

export interface CompletionRequest extends ChatRequest {
  /** Texts that are answered. */
  answers: number;
}

/** Throws invalid_request for anything spec 2.10 does not allow. */
export function readCompletionRequest(bytes: Buffer): CompletionRequest {
  const json = readJsonBody(bytes, completionFields, decidingFields);
  const model = readModel(json);
  const prompts = countPrompts(json);
  const maxTokens = readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER);
  const maxCompletionTokens = readWhole(json, 'max_completion_tokens', Number.MAX_SAFE_INTEGER);
  const n = readWhole(json, 'n', MAX_CHOICES) ?? 1;
  const bestOf = readWhole(json, 'best_of', MAX_CHOICES) ?? 1;
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    asksUsage: readAsksUsage(json),
    maxOutputTokens: larger(maxCompletionTokens, maxTokens),
    // Texts that are generated: for each prompt `n`, or `best_of` where the upstream chooses among more.
    choices: prompts * Math.max(n, bestOf),
    answers: prompts * n,
    ...inputSize(json),
    ...readAskedTiers(json, 'service_tier'),
  };
}

/** A list of texts, or of lists of token ids, is a prompt each; a list of token ids is one. */
function countPrompts(json: JsonObject): number {
  const prompt = requireFilled(json, 'prompt');
  return prompt.kind !== 'array' || isListOfNumbers(json, prompt) ? 1 : arrayLength(json, 'prompt');
}

function isListOfNumbers({ bytes }: JsonObject, { valueStart, valueEnd }: JsonField): boolean {
  return /^\[\s*[-\d]/.test(bytes.toString('latin1', valueStart, Math.min(valueEnd, valueStart + 64)));
}
