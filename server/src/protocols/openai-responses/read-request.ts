// Reads what the gateway must know of a responses request: the route, the stream, what it may cost and what it leaves
// with the upstream.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { readAskedTiers } from '../json/asked-tier.ts';
import {
  inputSize,
  presentField,
  readJsonBody,
  readModel,
  readValue,
  readWhole,
  requireFilled,
} from '../json/json-request.ts';
import type { ReadRequest } from '../protocol.ts';
import { decidingFields, responseFields } from './wire.ts';

export interface ResponseRequest extends ReadRequest {
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
    ...inputSize(json),
    refersElsewhere: KEPT.some((name) => presentField(json, name) !== undefined),
    background: readField(json, 'background') === true,
    store: readField(json, 'store') !== false,
    previousResponseId: readPreviousId(json),
    ...readAskedTiers(json, 'service_tier'),
  };
}

/** A text, a list that is not empty, or something kept by the upstream. */
function requireInput(json: JsonObject, standIns: readonly string[]): void {
  const isReplaced = standIns.some((name) => presentField(json, name) !== undefined);
  if (!isReplaced || presentField(json, 'input') !== undefined) requireFilled(json, 'input');
}

function readPreviousId(json: JsonObject): string | undefined {
  const id = readValue(json, 'previous_response_id');
  if (typeof id !== 'string') return undefined;
  if (id === '') throw invalidRequest("'previous_response_id' must not be empty.", 'previous_response_id');
  return id;
}
