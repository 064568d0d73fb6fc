// Reads from the bytes of a chat request what routing, the hold and the answer's form need. The bytes themselves are what
// is sent, so everything here that decides must have one meaning only.
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import {
  inputSize,
  larger,
  presentField,
  readJsonBody,
  readModel,
  readValue,
  readWhole,
  requireFilled,
} from '../json/json-request.ts';
import { mediaAmong } from '../json/output-media.ts';
import type { ReadRequest } from '../protocol.ts';
import { readAsksUsage } from '../stream/stream-options.ts';
import { chatFields, decidingFields, MAX_CHOICES } from './wire.ts';

export interface ChatRequest extends ReadRequest {
  /** The caller set stream_options.include_usage. */
  asksUsage: boolean;
}

/** Throws invalid_request for anything spec 2.10 does not allow. */
export function readChatRequest(bytes: Buffer): ChatRequest {
  const json = readJsonBody(bytes, chatFields, decidingFields);
  const model = readModel(json);
  checkMessages(json);
  const maxTokens = readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER);
  const maxCompletionTokens = readWhole(json, 'max_completion_tokens', Number.MAX_SAFE_INTEGER);
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    asksUsage: readAsksUsage(json),
    // Upstreams may heed either of them.
    maxOutputTokens: larger(maxCompletionTokens, maxTokens),
    choices: readWhole(json, 'n', MAX_CHOICES) ?? 1,
    ...inputSize(json),
    ...readAskedTiers(json, 'service_tier'),
    ...(presentField(json, 'modalities') !== undefined && { outputMedia: mediaAmong(readValue(json, 'modalities')) }),
  };
}

function checkMessages(json: JsonObject): void {
  // Spec 2.10: fill-in-the-middle models may use prefix and suffix instead.
  const hasGap = presentField(json, 'prefix') !== undefined || presentField(json, 'suffix') !== undefined;
  if (!hasGap || presentField(json, 'messages') !== undefined) requireFilled(json, 'messages');
}
