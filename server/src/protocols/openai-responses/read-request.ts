// Reads what the gateway must know of a responses request: the route, the stream, what it may cost and what it leaves
// with the upstream.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers, type TierFact } from '../json/asked-tier.ts';
import { presentField, readJsonBody, readModel, readValue, readWhole } from '../json/json-request.ts';
import { decidingFields, responseFields } from './wire.ts';

export interface ResponseRequest extends TierFact {
  json: JsonObject;
  model: string;
  stream: boolean;
  maxOutputTokens: number | undefined;
  choices: 1;
  inputBytes: number;
  mediaCount: number;
  /** An earlier answer, a conversation or a prompt that the upstream keeps is part of the input. */
  refersElsewhere: boolean;
  /** It goes on at the upstream after it was answered, or after its stream was left. */
  background: boolean;
  /** The upstream keeps the answer under its id. */
  store: boolean;
  /** An earlier answer to go on from. */
  previousResponseId: string | undefined;
}

const KEPT = ['previous_response_id', 'conversation', 'prompt'];

/** Throws invalid_request that names the field. */
export function readResponseRequest(bytes: Buffer): ResponseRequest {
  return readBody(bytes, ['prompt']);
}

/** Of what is said about a conversation without an answer to it: counted or compacted, and nothing is stored. */
export function readConversationRequest(bytes: Buffer): ResponseRequest {
  const request = readBody(bytes, KEPT);
  return { ...request, stream: false, background: false, store: false };
}

/** `standIns`: the fields that may stand for the input. */
function readBody(bytes: Buffer, standIns: readonly string[]): ResponseRequest {
  const json = readJsonBody(bytes, responseFields, decidingFields);
  const model = readModel(json);
  requireInput(json, standIns);
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    maxOutputTokens: readWhole(json, 'max_output_tokens', Number.MAX_SAFE_INTEGER),
    choices: 1,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
    refersElsewhere: KEPT.some((name) => presentField(json, name) !== undefined),
    background: readField(json, 'background') === true,
    store: readField(json, 'store') !== false,
    previousResponseId: readPreviousId(json),
    ...readAskedTiers(json, 'service_tier'),
  };
}

/** A text, a list that is not empty, or something kept by the upstream. */
function requireInput(json: JsonObject, standIns: readonly string[]): void {
  const input = presentField(json, 'input');
  if (input !== undefined) {
    if (arrayIsEmpty(json, input)) throw invalidRequest("'input' must not be empty.", 'input');
    return;
  }
  if (standIns.every((name) => presentField(json, name) === undefined))
    throw invalidRequest("'input' is required.", 'input');
}

function readPreviousId(json: JsonObject): string | undefined {
  const id = readValue(json, 'previous_response_id');
  if (typeof id !== 'string') return undefined;
  if (id === '') throw invalidRequest("'previous_response_id' must not be empty.", 'previous_response_id');
  return id;
}
