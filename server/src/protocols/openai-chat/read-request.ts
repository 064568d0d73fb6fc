// Reads from the bytes of a chat request what routing, the hold and the answer's form need. The bytes themselves are what
// is sent, so everything here that decides must have one meaning only.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers, type TierFact } from '../json/asked-tier.ts';
import { larger, presentField, readJsonBody, readModel, readValue, readWhole } from '../json/json-request.ts';
import { mediaAmong, type OutputMedia } from '../json/output-media.ts';
import { readAsksUsage } from '../stream/stream-options.ts';
import { chatFields, decidingFields, MAX_CHOICES } from './wire.ts';

export interface ChatRequest extends TierFact {
  json: JsonObject;
  model: string;
  stream: boolean;
  /** The caller set stream_options.include_usage. */
  asksUsage: boolean;
  /** The larger of max_completion_tokens and max_tokens: upstreams may heed either of them. */
  maxOutputTokens: number | undefined;
  /** How many answers are asked for (`n`). */
  choices: number;
  /** Bytes of the body without embedded media. */
  inputBytes: number;
  mediaCount: number;
  /** What `modalities` asks for beside text. */
  outputMedia?: OutputMedia;
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
    maxOutputTokens: larger(maxCompletionTokens, maxTokens),
    choices: readWhole(json, 'n', MAX_CHOICES) ?? 1,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
    ...readAskedTiers(json, 'service_tier'),
    ...(presentField(json, 'modalities') !== undefined && { outputMedia: mediaAmong(readValue(json, 'modalities')) }),
  };
}

function checkMessages(json: JsonObject): void {
  const messages = presentField(json, 'messages');
  if (messages !== undefined) {
    if (arrayIsEmpty(json, messages)) throw invalidRequest("'messages' must not be empty.", 'messages');
    return;
  }
  // Spec 2.10: fill-in-the-middle models may use prefix and suffix instead.
  if (presentField(json, 'prefix') !== undefined || presentField(json, 'suffix') !== undefined) return;
  throw invalidRequest("'messages' is required.", 'messages');
}
