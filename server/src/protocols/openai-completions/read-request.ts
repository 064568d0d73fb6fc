// Reads what the gateway must know of a completions request: the route, the stream and what it may cost.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, arrayLength, type JsonField, type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers, type TierFact } from '../json/asked-tier.ts';
import { larger, presentField, readJsonBody, readModel, readWhole } from '../json/json-request.ts';
import { readAsksUsage } from '../stream/stream-options.ts';
import { completionFields, decidingFields, MAX_CHOICES } from './wire.ts';

export interface CompletionRequest extends TierFact {
  json: JsonObject;
  model: string;
  stream: boolean;
  /** The caller set stream_options.include_usage. */
  asksUsage: boolean;
  /** The larger of max_completion_tokens and max_tokens: upstreams may heed either of them. */
  maxOutputTokens: number | undefined;
  /** Texts that are generated: for each prompt `n`, or `best_of` where the upstream chooses among more. */
  choices: number;
  /** Texts that are answered. */
  answers: number;
  inputBytes: number;
  mediaCount: number;
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
    choices: prompts * Math.max(n, bestOf),
    answers: prompts * n,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
    ...readAskedTiers(json, 'service_tier'),
  };
}

/** A list of texts, or of lists of token ids, is a prompt each; a list of token ids is one. */
function countPrompts(json: JsonObject): number {
  const prompt = presentField(json, 'prompt');
  if (prompt === undefined) throw invalidRequest("'prompt' is required.", 'prompt');
  if (prompt.kind !== 'array') return 1;
  if (arrayIsEmpty(json, prompt)) throw invalidRequest("'prompt' must not be empty.", 'prompt');
  return isListOfNumbers(json, prompt) ? 1 : arrayLength(json, 'prompt');
}

function isListOfNumbers({ bytes }: JsonObject, { valueStart, valueEnd }: JsonField): boolean {
  return /^\[\s*[-\d]/.test(bytes.toString('latin1', valueStart, Math.min(valueEnd, valueStart + 64)));
}
